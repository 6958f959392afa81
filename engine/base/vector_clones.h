// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vector code for the instruction set of the computer at hand, out of one source.
#pragma once

// One copy of a function for each instruction set, chosen at start. Sanitizers run before that choice can be made.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DISCO_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DISCO_VECTOR_CLONES
#endif
// What is called from such a function must become part of it to be compiled for the same instruction set.
#define DISCO_INLINE __attribute__((always_inline)) inline
