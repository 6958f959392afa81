// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/distributed/rendezvous.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace disco {
namespace {

constexpr const char* kHint = "Start ranks with disco-engine, torchrun or another launcher that sets it";

Result<int> whole_number(const char* name, int low, int high) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return failure("the environment variable is not set", name, kHint);
  const std::string_view view(text);
  int value = 0;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error != std::errc{} || end != view.data() + view.size() || value < low || value > high) {
    return failure("must be a whole number from " + std::to_string(low) + " to " + std::to_string(high) + ", is \"" +
                       std::string(view) + "\"",
                   name, kHint);
  }
  return value;
}

bool is_set(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr && *text != '\0';
}

}  // namespace

Result<Rendezvous> rendezvous_from_environment() {
  Rendezvous place;
  if (!is_set("WORLD_SIZE")) return place;
  DISCO_TRY(place.world_size, whole_number("WORLD_SIZE", 1, 1 << 20));
  DISCO_TRY(place.rank, whole_number("RANK", 0, place.world_size - 1));
  if (is_set("LOCAL_RANK")) {
    DISCO_TRY(place.local_rank, whole_number("LOCAL_RANK", 0, place.rank));
  }
  place.local_size = place.local_rank + 1;
  if (is_set("LOCAL_WORLD_SIZE")) {
    DISCO_TRY(place.local_size, whole_number("LOCAL_WORLD_SIZE", place.local_rank + 1, place.world_size));
  }
  if (place.world_size == 1) return place;
  if (!is_set("MASTER_ADDR")) return failure("the environment variable is not set", "MASTER_ADDR", kHint);
  place.master_address = std::getenv("MASTER_ADDR");
  DISCO_TRY(const int port, whole_number("MASTER_PORT", 1, 65535));
  place.master_port = static_cast<std::uint16_t>(port);
  if (place.rank == 0 && is_set("DISCO_MASTER_SOCKET")) {
    DISCO_TRY(place.master_socket, whole_number("DISCO_MASTER_SOCKET", 0, 1 << 20));
  }
  place.launcher_listens =
      is_set("TORCHELASTIC_USE_AGENT_STORE") && std::string_view(std::getenv("TORCHELASTIC_USE_AGENT_STORE")) == "True";
  if (is_set("TORCHELASTIC_RESTART_COUNT")) {
    DISCO_TRY(place.attempt, whole_number("TORCHELASTIC_RESTART_COUNT", 0, 1 << 20));
  }
  return place;
}

Result<std::string> address_towards(const std::string& master_address) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(master_address.c_str(), "9", &wanted, &found); error != 0) {
    return failure(std::string("cannot be resolved: ") + gai_strerror(error), "MASTER_ADDR=" + master_address,
                   "Use the numeric address of rank 0's machine");
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    // Connecting a datagram socket sends nothing; it only makes the kernel choose the route and so the own address.
    const int socket_fd = socket(entry->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_fd < 0) continue;
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    char text[NI_MAXHOST];
    const bool reached = connect(socket_fd, entry->ai_addr, entry->ai_addrlen) == 0 &&
                         getsockname(socket_fd, reinterpret_cast<sockaddr*>(&own), &length) == 0 &&
                         getnameinfo(reinterpret_cast<const sockaddr*>(&own), length, text, sizeof text, nullptr, 0,
                                     NI_NUMERICHOST) == 0;
    close(socket_fd);
    if (reached) return std::string(text);
  }
  return failure("no network interface leads there", "MASTER_ADDR=" + master_address,
                 "Check the network, or use 127.0.0.1 for ranks on one machine");
}

}  // namespace disco
