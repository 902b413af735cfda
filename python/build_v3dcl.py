# SPDX-License-Identifier: MIT
"""The extension over the installed library: its compiler reads v3dcl's own headers, so that layouts are never guessed."""

import os
import shlex
import subprocess

from cffi import FFI

SOURCE = r'''
#include <v3d/regs.h>
#include "v3dcl_check.h"
#include "v3dcl_device.h"
#include "v3dcl_frame.h"
#include "v3dcl_image.h"
#include "v3dcl_named.h"
#include "v3dcl_qpu.h"
#include "v3dcl_release.h"
#include "v3dcl_run.h"
#include "v3dcl_text.h"

#define NAME_OF(id, unit, name, text) [id] = #name,
static const char *const counter_names[V3D_COUNTER_COUNT] = { V3D_COUNTER_SOURCES(NAME_OF) };
'''

DECLARATIONS = r'''
extern const char *const counter_names[];
#define V3D_COUNTER_COUNT ...
#define V3D_COUNTERS ...
#define DRM_V3DCL_RELOC_READ ...
#define DRM_V3DCL_RELOC_WRITE ...
#define V3D_TEXTURE_RGBA8888 ...
#define V3D_TEXTURE_RGB565 ...

struct v3dcl_error {
    int code;
    uint32_t part, rule, offset;
    uint64_t found, expected;
    uint32_t line, column;
    char text[...];
    ...;
};
struct v3dcl_address { uint32_t bo, offset; };
struct v3dcl_given {
    const char *field;
    uint32_t kind;
    struct v3dcl_address to;
    int64_t number;
    double real;
    const char *choice;
};
struct v3dcl_named {
    const char *record;
    const struct v3dcl_given *fields;
    uint32_t count;
};
#define V3DCL_GIVEN_NUMBER ...
#define V3DCL_GIVEN_REAL ...
#define V3DCL_GIVEN_ADDRESS ...
#define V3DCL_GIVEN_CHOICE ...
int v3dcl_word_named(const struct v3dcl_named *word, uint32_t *bits, struct v3dcl_address *to,
                     struct v3dcl_error *error);
enum v3dcl_named_kind { V3DCL_NAMED_CONTROL, V3DCL_NAMED_MEMORY, V3DCL_NAMED_WORD, ... };
struct v3dcl_named_record { const char *name; uint32_t kind; ...; };
struct v3dcl_named_field { const char *name; ...; };
bool v3dcl_named_record(uint32_t index, struct v3dcl_named_record *record);
bool v3dcl_named_field(const char *record, uint32_t index, struct v3dcl_named_field *field);
const char *v3dcl_named_choice(const char *record, const char *field, uint32_t index,
                               uint32_t *value);
struct v3dcl_buffer { uint8_t *bytes; size_t size; bool failed; ...; };
void v3dcl_buffer_free(struct v3dcl_buffer *buffer);
struct v3dcl_block { struct v3dcl_buffer bytes; ...; };
void v3dcl_block_free(struct v3dcl_block *block);
int v3dcl_block_bytes(struct v3dcl_block *block, const void *bytes, size_t size,
                      struct v3dcl_error *error);
int v3dcl_block_word(struct v3dcl_block *block, uint32_t word, struct v3dcl_error *error);
int v3dcl_block_address(struct v3dcl_block *block, struct v3dcl_address address, uint32_t word,
                        struct v3dcl_error *error);
enum v3dcl_list_kind { V3DCL_BIN_LIST, V3DCL_RENDER_LIST, V3DCL_SUB_LIST, ... };
struct v3dcl_list { enum v3dcl_list_kind kind; struct v3dcl_block block; ...; };
void v3dcl_list_init(struct v3dcl_list *list, enum v3dcl_list_kind kind);
void v3dcl_list_free(struct v3dcl_list *list);
int v3dcl_list_named(struct v3dcl_list *list, const struct v3dcl_named *record, const uint8_t *data,
                     size_t size, struct v3dcl_error *error);
const char *v3dcl_version(void);

struct v3dcl_device;
struct v3dcl_simulator_config {
    size_t size;
    uint64_t budget;
    unsigned int limit_ms, threads;
    bool reference, unprivileged, unverified, races;
    const char *chip;
    ...;
};
struct v3dcl_node { char path[...], driver[...]; bool render, ours; int error; ...; };
struct v3dcl_info {
    char name[...];
    bool simulated, ours, unverified;
    uint32_t qpus, vpm_rows, max_programs, max_uniforms, max_relocs;
    uint64_t max_timeout_ns, memory_budget, memory_used, guilty, innocent;
    ...;
};
int v3dcl_open(const char *name, struct v3dcl_device **device, struct v3dcl_error *error);
int v3dcl_open_simulator(const struct v3dcl_simulator_config *config, struct v3dcl_device **device,
                         struct v3dcl_error *error);
int v3dcl_devices(bool (*each)(void *opaque, const struct v3dcl_node *node), void *opaque,
                  struct v3dcl_error *error);
void v3dcl_close(struct v3dcl_device *device);
int v3dcl_device_info(struct v3dcl_device *device, struct v3dcl_info *info,
                      struct v3dcl_error *error);
int v3dcl_bo_create(struct v3dcl_device *device, uint32_t size, uint32_t *handle,
                    struct v3dcl_error *error);
int v3dcl_bo_map(struct v3dcl_device *device, uint32_t handle, void **map,
                 struct v3dcl_error *error);
int v3dcl_bo_close(struct v3dcl_device *device, uint32_t handle);
int v3dcl_bo_create_program(struct v3dcl_device *device, const uint64_t *code, uint32_t count,
                            uint32_t flags, uint32_t *handle, struct v3dcl_error *error);
int v3dcl_perfmon_create(struct v3dcl_device *device, const uint8_t *events, uint32_t count,
                         uint32_t *id, struct v3dcl_error *error);
int v3dcl_perfmon_destroy(struct v3dcl_device *device, uint32_t id);
int v3dcl_perfmon_values(struct v3dcl_device *device, uint32_t id, uint64_t *values,
                         struct v3dcl_error *error);

struct v3dcl_symbol { const char *name; int kind; uint32_t value; ...; };
struct v3dcl_uniform {
    const char *name;
    uint32_t value;
    const char *reference;
    uint32_t offset, flags;
    ...;
};
struct v3dcl_assembly {
    uint64_t *code;
    uint32_t *lines;
    uint32_t code_count;
    struct v3dcl_uniform *uniforms;
    uint32_t uniform_count;
    struct v3dcl_symbol *symbols;
    uint32_t symbol_count;
    ...;
};
struct v3dcl_asm_options {
    size_t size;
    int vc4asm;
    const char *const *folders;
    size_t folder_count;
    void (*each_error)(void *opaque, const struct v3dcl_error *error);
    void *opaque;
    ...;
};
int v3dcl_assemble_with(const struct v3dcl_asm_options *options, const char *name,
                        const char *source, size_t length, struct v3dcl_assembly **assembly,
                        struct v3dcl_error *error);
void v3dcl_assembly_free(struct v3dcl_assembly *assembly);
void v3dcl_disassemble_program(const uint64_t *code, uint32_t count, struct v3dcl_buffer *out);
struct v3dcl_hazard { uint32_t at, before; const char *rule, *text, *source; ...; };
enum v3dcl_program_kind { V3DCL_USER_PROGRAM, V3DCL_FRAGMENT_SHADER, V3DCL_VERTEX_SHADER,
                          V3DCL_COORDINATE_SHADER, ... };
uint32_t v3dcl_hazards(const uint64_t *code, uint32_t count, enum v3dcl_program_kind kind,
                       bool (*each)(void *opaque, const struct v3dcl_hazard *hazard), void *opaque);
enum v3dcl_check_kind { V3DCL_CHECK_SHADER, V3DCL_CHECK_PROGRAM, ... };
int v3dcl_check_code(const uint64_t *code, uint32_t count, enum v3dcl_check_kind kind,
                     struct v3dcl_error *error);

struct v3dcl_binding {
    const char *name;
    uint32_t handle, value, step;
    const uint32_t *each;
    uint32_t flags;
    ...;
};
struct v3dcl_launch {
    size_t size;
    const struct v3dcl_binding *bindings;
    uint32_t binding_count;
    uint32_t runs, program, perfmon;
    uint64_t timeout_ns;
    ...;
};
int v3dcl_run_program(struct v3dcl_device *device, const struct v3dcl_assembly *assembly,
              const struct v3dcl_launch *launch, struct v3dcl_error *error);

struct v3dcl_target { struct v3dcl_address address; uint32_t format, pixel; bool full; ...; };
struct v3dcl_targets {
    uint32_t width, height;
    bool multisample, clear;
    uint32_t clear_color[2], clear_z;
    uint8_t clear_stencil;
    struct v3dcl_target color_write, zs_write;
    ...;
};
struct v3dcl_frame;
int v3dcl_frame_new(struct v3dcl_frame **frame, struct v3dcl_error *error);
void v3dcl_frame_free(struct v3dcl_frame *frame);
int v3dcl_frame_targets(struct v3dcl_frame *frame, const struct v3dcl_targets *targets,
                        struct v3dcl_error *error);
int v3dcl_frame_begin(struct v3dcl_frame *frame, struct v3dcl_error *error);
struct v3dcl_list *v3dcl_frame_bin(struct v3dcl_frame *frame);
struct v3dcl_list *v3dcl_frame_render(struct v3dcl_frame *frame);
int v3dcl_frame_data(struct v3dcl_frame *frame, const struct v3dcl_block *block, uint32_t alignment,
                     struct v3dcl_address *where, struct v3dcl_error *error);
int v3dcl_frame_uniforms(struct v3dcl_frame *frame, const struct v3dcl_block *stream,
                         struct v3dcl_address *where, struct v3dcl_error *error);
int v3dcl_frame_named(struct v3dcl_frame *frame, const struct v3dcl_named *records, uint32_t count,
                      struct v3dcl_address *where, struct v3dcl_error *error);
void v3dcl_frame_perfmon(struct v3dcl_frame *frame, uint32_t perfmon);
int v3dcl_frame_submit(struct v3dcl_frame *frame, struct v3dcl_device *device, uint64_t *seqno,
                       struct v3dcl_error *error);
int v3dcl_wait(struct v3dcl_device *device, uint64_t seqno, uint64_t timeout_ns,
               struct v3dcl_error *error);
int v3dcl_bo_create_shader(struct v3dcl_device *device, const uint64_t *code, uint32_t count,
                           uint32_t *handle, struct v3dcl_error *error);

struct v3dcl_script;
struct v3dcl_saved {
    const char *name;
    const uint8_t *bytes;
    uint64_t size;
    uint32_t width, height;
    const uint8_t *rgba;
    ...;
};
struct v3dcl_run_options {
    size_t size;
    int (*saved)(void *opaque, const struct v3dcl_saved *saved);
    void (*raced)(void *opaque, const struct v3dcl_error *error);
    void *opaque;
    uint32_t perfmon;
    ...;
};
int v3dcl_script_read(const char *name, const char *source, size_t length,
                      const char *const *options, size_t option_count, struct v3dcl_script **script,
                      struct v3dcl_error *error);
void v3dcl_script_free(struct v3dcl_script *script);
int v3dcl_script_run(const struct v3dcl_script *script, struct v3dcl_device *device,
                     const struct v3dcl_run_options *options, struct v3dcl_error *error);

struct v3dcl_plane { uint32_t format, bits, width, height, stride, size; ...; };
int v3dcl_picture_lay_out(struct v3dcl_plane *plane, uint32_t type, int format, uint32_t width,
                          uint32_t height, struct v3dcl_error *error);
int v3dcl_picture(const struct v3dcl_plane *plane, uint32_t type, const void *memory, size_t size,
                  uint32_t width, uint32_t height, uint8_t *rgba, struct v3dcl_error *error);
int v3dcl_picture_store(const struct v3dcl_plane *plane, uint32_t type, const uint8_t *rgba,
                        uint32_t width, uint32_t height, void *memory, size_t size,
                        struct v3dcl_error *error);
int v3dcl_png_read(const uint8_t *bytes, size_t size, struct v3dcl_buffer *rgba, uint32_t *width,
                   uint32_t *height, struct v3dcl_error *error);
int v3dcl_png_write(const uint8_t *rgba, uint32_t width, uint32_t height, struct v3dcl_buffer *out,
                    struct v3dcl_error *error);

extern "Python" bool take_node(void *opaque, const struct v3dcl_node *node);
extern "Python" void take_error(void *opaque, const struct v3dcl_error *error);
extern "Python" bool take_hazard(void *opaque, const struct v3dcl_hazard *hazard);
extern "Python" int take_saved(void *opaque, const struct v3dcl_saved *saved);
'''


def pkg_config(option, prefix):
    """What the installed library asks for, without the letters of the option"""
    command = [os.environ.get('PKG_CONFIG', 'pkg-config'), option, 'v3dcl']
    words = shlex.split(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    return [word[len(prefix):] for word in words if word.startswith(prefix)]


ffi = FFI()
ffi.cdef(DECLARATIONS)
ffi.set_source('v3dcl._v3dcl', SOURCE, include_dirs=pkg_config('--cflags', '-I'), library_dirs=pkg_config('--libs', '-L'),
               libraries=pkg_config('--libs', '-l'))
