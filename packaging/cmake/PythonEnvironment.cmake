# The cached environment that packaging/setup.sh fills: LibTorch, CLIP's vocabulary and the packages that the tests
# compare with. DISCO_PYTHON is its interpreter; it is asked for at each configuration, and again when the lock file
# changes, unless -DDISCO_PYTHON=… names one.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/packaging/requirements.lock")
if(NOT DISCO_PYTHON)
  execute_process(COMMAND "${CMAKE_SOURCE_DIR}/packaging/setup.sh" --print-python
                  OUTPUT_VARIABLE DISCO_PYTHON_FOUND OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE DISCO_PYTHON_RESULT)
  if(NOT DISCO_PYTHON_RESULT EQUAL 0 OR NOT EXISTS "${DISCO_PYTHON_FOUND}")
    message(FATAL_ERROR "The Python environment with LibTorch is not set up. Run packaging/setup.sh first.")
  endif()
  set(DISCO_PYTHON "${DISCO_PYTHON_FOUND}")
endif()

# The environment's own folder: the interpreter there is a link to the system's, so the path is taken as it is written.
get_filename_component(DISCO_PYTHON_PREFIX "${DISCO_PYTHON}" DIRECTORY)
get_filename_component(DISCO_PYTHON_PREFIX "${DISCO_PYTHON_PREFIX}" DIRECTORY)
file(GLOB DISCO_SITE_PACKAGES LIST_DIRECTORIES true "${DISCO_PYTHON_PREFIX}/lib/python3*/site-packages")
if(NOT DISCO_SITE_PACKAGES)
  message(FATAL_ERROR "${DISCO_PYTHON} is not the interpreter of an environment. Run packaging/setup.sh and configure again with --fresh.")
endif()
list(GET DISCO_SITE_PACKAGES 0 DISCO_SITE_PACKAGES)
