/* SPDX-FileCopyrightText: The Tegula authors
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The public C API: kernels of the Triton language in, compiled programs out, and running them. A binding or an application needs nothing
 * else. C11, no other header.
 *
 * Rules that hold everywhere:
 * - Structs begin with `struct_size`, set by the caller to sizeof. Those that the caller fills: zeroed fields mean the default. Those that are
 *   filled for the caller: no more than that size is written.
 * - Text is (pointer, size), UTF-8, not terminated. Text handed in is borrowed for the call; text handed out lives as long as the object it
 *   was asked of, unless said otherwise.
 * - Calls that can fail return a tegula_status_t and add diagnostics to `messages`, which may be NULL. Where a call fails, its out parameters
 *   are untouched.
 * - Objects are destroyed by whoever got them, memory before its runtime, and all before the session. Destroying NULL does nothing.
 * - Everything may be called from any thread; compiles on one session run in parallel. One memory must not be used by two threads at once.
 */
#ifndef TEGULA_TEGULA_H
#define TEGULA_TEGULA_H

#include <stdint.h>

#if defined(_WIN32)
#define TEGULA_API
#else
#define TEGULA_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tegula_text {
  const char *data; /* may be NULL where size is 0 */
  uint64_t size;
} tegula_text_t;

/* NAME=VALUE */
typedef struct tegula_pair {
  tegula_text_t name, value;
} tegula_pair_t;

/* The numbers are those of the program's exit status. */
typedef int32_t tegula_status_t;
enum {
  TEGULA_STATUS_OK = 0,
  TEGULA_STATUS_INPUT = 1,     /* the input is wrong; the messages say where */
  TEGULA_STATUS_USAGE = 2,     /* the call is wrong: a struct too small, a NULL handle, an unknown option */
  TEGULA_STATUS_NO_TARGET = 3, /* no such target or device */
  TEGULA_STATUS_FINDING = 5,   /* the sanitizer found something, or an assertion of the kernel failed */
  TEGULA_STATUS_CANCELLED = 6,
  TEGULA_STATUS_INTERNAL = 70  /* a fault of Tegula or of the plugin */
};

typedef struct tegula_session tegula_session_t;   /* plugins, caches */
typedef struct tegula_messages tegula_messages_t; /* diagnostics */
typedef struct tegula_program tegula_program_t;   /* a compiled kernel */
typedef struct tegula_runtime tegula_runtime_t;   /* an open device */
typedef struct tegula_memory tegula_memory_t;     /* a buffer on it */

/* The program's version, "0.1.0". Static. */
TEGULA_API tegula_text_t tegula_version(void);

/* ---- diagnostics ---- */

enum { TEGULA_MESSAGE_ERROR = 1, TEGULA_MESSAGE_WARNING = 2, TEGULA_MESSAGE_REMARK = 3 };

typedef struct tegula_message_place {
  tegula_text_t file;
  uint32_t line;       /* from 1; 0: no place in the file */
  uint32_t column;     /* from 1, in code points */
  uint32_t end_column; /* one past the last */
  uint32_t reserved0;
  tegula_text_t line_text; /* the source line; may be empty */
} tegula_message_place_t;

typedef struct tegula_message {
  uint64_t struct_size;
  uint32_t severity;
  uint32_t note_count;
  tegula_text_t code; /* "F1203" */
  tegula_text_t message;
  tegula_text_t help; /* what to do about it; may be empty */
  tegula_message_place_t place;
} tegula_message_t;

/* A list that calls add to. What it hands out lives until it is destroyed. */
TEGULA_API tegula_messages_t *tegula_messages_create(void);
TEGULA_API void tegula_messages_destroy(tegula_messages_t *messages);
TEGULA_API uint64_t tegula_messages_count(const tegula_messages_t *messages);
TEGULA_API tegula_status_t tegula_messages_get(const tegula_messages_t *messages, uint64_t index, tegula_message_t *message);
TEGULA_API tegula_status_t tegula_messages_get_note(const tegula_messages_t *messages, uint64_t index, uint32_t note, tegula_text_t *text,
                                                    tegula_message_place_t *place);
/* One message as text with carets, or as one JSON object; empty past the end. */
enum { TEGULA_RENDER_TEXT = 0, TEGULA_RENDER_COLOUR = 1, TEGULA_RENDER_JSON = 2 };
TEGULA_API tegula_text_t tegula_messages_render(tegula_messages_t *messages, uint64_t index, uint32_t form);

/* ---- sessions and targets ---- */

typedef struct tegula_session_options {
  uint64_t struct_size;
  const tegula_text_t *plugins; /* manifests, searched first */
  uint64_t plugin_count;
  /* After TEGULA_PLUGIN_PATH, at most two: the program's folder (plugins are in ../lib/tegula/plugins from there), and a folder of plugins.
   * Without them: the folder of the running program, and the installed one. */
  const tegula_text_t *plugin_folders;
  uint64_t plugin_folder_count;
  const tegula_pair_t *options; /* of plugins, for every use of this session ("as", "sanitize") */
  uint64_t option_count;
  void (*log)(void *user, uint32_t level, const char *text, uint64_t size); /* for developers; level 1 error to 4 debug; may be NULL */
  void *user;
} tegula_session_options_t;

/* Finds plugins and loads none; a plugin is loaded when it is first needed. `options` may be NULL. */
TEGULA_API tegula_status_t tegula_session_create(const tegula_session_options_t *options, tegula_session_t **session, tegula_messages_t *messages);
TEGULA_API void tegula_session_destroy(tegula_session_t *session);

/* Everything about plugins, targets, devices and what was refused, as one JSON object (loads every plugin); docs/command-line.md describes it.
 * Lives until the session ends. */
TEGULA_API tegula_status_t tegula_session_describe(tegula_session_t *session, tegula_text_t *json, tegula_messages_t *messages);
/* The full name of a target for any spelling of it; an empty one gives the best that is usable here. Lives until the session ends. */
TEGULA_API tegula_status_t tegula_session_resolve_target(tegula_session_t *session, tegula_text_t spelling, tegula_text_t *name, tegula_messages_t *messages);
/* The kernels of a file, one a line. Lives until the session ends. */
TEGULA_API tegula_status_t tegula_session_list_kernels(tegula_session_t *session, tegula_text_t path, tegula_text_t *names, tegula_messages_t *messages);

/* ---- compiling ---- */

enum { TEGULA_ARGUMENT_POINTER = 1, TEGULA_ARGUMENT_SCALAR = 2, TEGULA_ARGUMENT_CONSTANT = 3 };

typedef struct tegula_argument_spec {
  uint64_t struct_size;
  tegula_text_t name; /* of the parameter; empty: by position, and then all of them are */
  uint32_t kind;
  uint32_t reserved0;
  tegula_text_t type;     /* POINTER, SCALAR: Triton's spelling, "*fp32", "i32" */
  uint64_t divisibility;  /* of address (bytes) or value; 0 and 1: nothing is known */
  tegula_text_t constant; /* CONSTANT: as -D takes it. SCALAR: the value, where it is known, for heuristics; an integer 1 is folded away */
} tegula_argument_spec_t;

enum { TEGULA_MATH_DEFAULT = 0, TEGULA_MATH_FAST = 1, TEGULA_MATH_STRICT = 2 };
enum { TEGULA_OPTIMISE_BY_TARGET = 0, TEGULA_OPTIMISE_NONE = 1, TEGULA_OPTIMISE_FULL = 2 };
enum {
  TEGULA_COMPILE_DEBUG = 1,       /* device asserts */
  TEGULA_COMPILE_SANITIZE = 2,    /* will be launched under the sanitizer */
  TEGULA_COMPILE_NO_BINARY = 4,   /* stop before the plugin compiles */
  TEGULA_COMPILE_TIME_PASSES = 8, /* keeps the stage "timing" */
  TEGULA_COMPILE_KEEP_TILE = 16,  /* keeps the stages "tile" and "tile-opt" */
  TEGULA_COMPILE_DUMP_IR = 32     /* keeps the stage "dump": the IR after each pass, or after the one that `dump_pass` names */
};

typedef struct tegula_compile_options {
  uint64_t struct_size;
  tegula_text_t path;        /* of the file; with `text`: the name for diagnostics, and imports are looked for beside it */
  const tegula_text_t *text; /* source text instead of a file; may be NULL */
  tegula_text_t kernel;
  tegula_text_t target; /* any spelling; empty: the best */
  const tegula_argument_spec_t *arguments;
  uint64_t argument_count;
  const tegula_pair_t *defines; /* constants; win over configurations and heuristics */
  uint64_t define_count;
  const tegula_pair_t *globals; /* MODULE.NAME=VALUE */
  uint64_t global_count;
  const tegula_text_t *module_path;
  uint64_t module_path_count;
  const tegula_pair_t *plugin_options; /* by the plugin's schema */
  uint64_t plugin_option_count;
  uint32_t num_warps;  /* 0: from the configuration, else 4 */
  uint32_t num_stages; /* wanted plus 1; 0: from the configuration, else 3 */
  uint32_t config;     /* index of the configuration plus 1; 0: the first, where one is needed */
  uint32_t math;       /* TEGULA_MATH_... */
  uint32_t optimise;   /* TEGULA_OPTIMISE_... */
  uint32_t flags;      /* TEGULA_COMPILE_... */
  tegula_text_t dump_pass;
  tegula_text_t form; /* a printable form of the plugin's ("asm"), kept as the stage of that name; empty: none */
} tegula_compile_options_t;

typedef struct tegula_parameter_info {
  uint64_t struct_size;
  tegula_text_t name;
  uint32_t folded; /* a constant: no argument of the compiled kernel */
  uint32_t reserved0;
  tegula_text_t type;     /* not folded */
  uint64_t divisibility;  /* not folded: what the code assumes */
  tegula_text_t constant; /* folded: the value as Python prints it */
} tegula_parameter_info_t;

typedef struct tegula_program_info {
  uint64_t struct_size;
  tegula_text_t kernel, target;
  tegula_text_t record; /* all that is known of the artifact, as JSON; empty without a binary */
  uint32_t num_warps, num_stages, num_ctas, max_registers;
  uint64_t parameter_count;
  double frontend_ms, middle_ms, plugin_ms;
} tegula_program_info_t;

TEGULA_API tegula_status_t tegula_compile(tegula_session_t *session, const tegula_compile_options_t *options, tegula_program_t **program,
                                          tegula_messages_t *messages);
TEGULA_API void tegula_program_destroy(tegula_program_t *program);
TEGULA_API tegula_status_t tegula_program_get_info(const tegula_program_t *program, tegula_program_info_t *info);
TEGULA_API tegula_status_t tegula_program_get_parameter(const tegula_program_t *program, uint64_t index, tegula_parameter_info_t *parameter);
/* The bytes of a stage: "kir", and "bin" unless NO_BINARY was given; others as the flags say. INPUT, with a message, where it is not there. */
TEGULA_API tegula_status_t tegula_program_get_stage(const tegula_program_t *program, tegula_text_t stage, tegula_text_t *bytes, tegula_messages_t *messages);
/* The files that were read, for dependency files; `index` from 0, empty past the end. */
TEGULA_API tegula_text_t tegula_program_get_dependency(const tegula_program_t *program, uint64_t index);

/* KIR bytes as text, and back. The result is freed with tegula_free. */
TEGULA_API tegula_status_t tegula_kir_to_text(tegula_text_t kir, char **text, uint64_t *size, tegula_messages_t *messages);
TEGULA_API tegula_status_t tegula_kir_from_text(tegula_text_t text, char **kir, uint64_t *size, tegula_messages_t *messages);
TEGULA_API void tegula_free(void *memory);
/* The pass driver on a command line: reads tile IR, runs passes, prints tile IR. Once in a process. Returns an exit status. */
TEGULA_API int32_t tegula_opt_main(int32_t argc, char **argv);

/* ---- running ---- */

/* Opens device `index` of a target. */
TEGULA_API tegula_status_t tegula_runtime_open(tegula_session_t *session, tegula_text_t target, uint32_t index, tegula_runtime_t **runtime,
                                               tegula_messages_t *messages);
TEGULA_API void tegula_runtime_close(tegula_runtime_t *runtime);

enum {
  TEGULA_MEMORY_UNDEFINED = 1, /* reading before writing is a finding */
  TEGULA_MEMORY_OUTPUT = 2,    /* an element that is never written is a finding */
  TEGULA_MEMORY_READ_ONLY = 4  /* a store is a finding */
};

typedef struct tegula_memory_options {
  uint64_t struct_size;
  uint64_t size;            /* bytes */
  uint64_t foreign_address; /* memory of the device to use, which stays the caller's; 0: allocate */
  tegula_text_t name;       /* for messages */
  tegula_text_t type;       /* of the elements, for messages: "fp32" */
  uint32_t flags;           /* TEGULA_MEMORY_... */
  uint32_t reserved0;
} tegula_memory_options_t;

TEGULA_API tegula_status_t tegula_memory_create(tegula_runtime_t *runtime, const tegula_memory_options_t *options, tegula_memory_t **memory,
                                                tegula_messages_t *messages);
TEGULA_API void tegula_memory_destroy(tegula_memory_t *memory);
TEGULA_API tegula_status_t tegula_memory_write(tegula_memory_t *memory, uint64_t offset, const void *data, uint64_t size, tegula_messages_t *messages);
TEGULA_API tegula_status_t tegula_memory_read(tegula_memory_t *memory, uint64_t offset, void *data, uint64_t size, tegula_messages_t *messages);
TEGULA_API tegula_status_t tegula_memory_copy(tegula_memory_t *to, uint64_t to_offset, tegula_memory_t *from, uint64_t from_offset, uint64_t size,
                                              tegula_messages_t *messages);
TEGULA_API tegula_status_t tegula_memory_get_address(tegula_memory_t *memory, uint64_t *address, tegula_messages_t *messages);

typedef struct tegula_value {
  uint64_t struct_size;
  tegula_text_t name;      /* of the parameter; values of folded parameters are passed over */
  tegula_memory_t *memory; /* a pointer into this buffer of the launching runtime, `bits` bytes from its start; NULL: a scalar */
  uint64_t bits;           /* the scalar's bits in the low bytes, in the parameter's type */
} tegula_value_t;

typedef struct tegula_launch_options {
  uint64_t struct_size;
  uint32_t grid[3]; /* each at least 1 */
  uint32_t sanitize;
  const tegula_value_t *values;
  uint64_t value_count;
  uint32_t repeat; /* launches to time after the first; 0: none */
  uint32_t reserved0;
  void (*print)(void *user, const char *line, uint64_t size); /* a line that the kernel prints, with its place and program; NULL: nowhere */
  int32_t (*cancelled)(void *user);                           /* polled; not 0 stops; may be NULL */
  void *user;
} tegula_launch_options_t;

typedef struct tegula_launch_result {
  uint64_t struct_size;
  double first_ms;  /* of the first launch */
  double median_ms; /* of the repeated ones; 0 where there are none */
} tegula_launch_result_t;

/* Launches and waits. `result` may be NULL. */
TEGULA_API tegula_status_t tegula_launch(tegula_runtime_t *runtime, const tegula_program_t *program, const tegula_launch_options_t *options,
                                         tegula_launch_result_t *result, tegula_messages_t *messages);

/* ---- faults of Tegula itself ---- */

/* What the calling thread is doing, for crash handlers: terminated text such as "frontend, kernel softmax". Async-signal-safe. */
TEGULA_API const char *tegula_current_phase(void);
/* Writes what the calling thread is compiling to a file descriptor, for crash handlers: the request and, where there is some, its IR. Best effort. */
TEGULA_API void tegula_write_reproducer(int32_t file);

#ifdef __cplusplus
}
#endif
#endif
