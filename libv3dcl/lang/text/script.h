/* SPDX-License-Identifier: MIT */
/*
 * A job's text, read: the things it has (memory, programs), and the steps it takes with them.
 * Reading evaluates everything; what is left are bytes, places in them where addresses go, and
 * structs for the device.
 */
#ifndef V3DCL_LANG_TEXT_SCRIPT_H
#define V3DCL_LANG_TEXT_SCRIPT_H

#include <stdbool.h>

#include <v3d/packets.h>

#include "../lang.h"
#include "v3dcl_buffer.h"
#include "v3dcl_image.h"
#include "v3dcl_qpu.h"
#include "v3dcl_text.h"

/* What one text may ask for, so that a hostile one ends: bytes of all memory */
#define SCRIPT_MOST_BYTES (512u << 20)
#define SCRIPT_MOST_NAME 120
/* Words of text that are looked at, each time anew in a repetition */
#define SCRIPT_WORK 50000000

/* In place of a thing's index: what a frame keeps */
#define SCRIPT_FRAME_MEMORY UINT32_MAX

/**
 * struct script_fixup - an address in bytes
 * @at: byte of the 32-bit word that it is added to
 * @thing: index of what it leads into
 * @offset: in that
 */
struct script_fixup {
	uint32_t at, thing, offset;
};

/**
 * struct script_bytes - bytes with addresses in them
 * @data: the bytes
 * @fixups: struct script_fixup
 */
struct script_bytes {
	struct v3dcl_buffer data, fixups;
};

/**
 * struct script_thing - memory or a program
 * @name: by which the text knows it
 * @bytes: of memory; may be shorter than @size
 * @size: bytes
 * @assembly: of a program, else NULL
 * @body: of a program: where its text begins
 * @kinds: of a program: what it is used for, a bit for each of enum v3dcl_program_kind,
 *	SCRIPT_USED, SCRIPT_COPIED
 * @address: where it once stood, if @placed
 * @filled: its bytes or its size were given
 * @t_tiled: in T-format, so the device is told
 */
struct script_thing {
	char *name;
	struct script_bytes bytes;
	uint32_t size;
	struct v3dcl_assembly *assembly;
	size_t body;
	uint32_t kinds;
	uint32_t address;
	bool filled, t_tiled, placed;
};

/* In a program's kinds: it is used for something that the text does not say */
#define SCRIPT_USED (1u << 31)
/* Its instructions are in memory, too */
#define SCRIPT_COPIED (1u << 30)

/**
 * struct script_batch - programs for the QPUs
 * @programs: struct drm_v3dcl_program; the handle is the index of a thing
 * @uniforms: 32-bit words
 * @relocs: struct drm_v3dcl_reloc; the handle is the index of a thing
 * @timeout_ns: 0 for the device's usual one
 */
struct script_batch {
	struct v3dcl_buffer programs, uniforms, relocs;
	uint64_t timeout_ns;
};

/**
 * struct script_lists - lists that run as they are
 * @list: of thread 0 and of thread 1
 * @place: where they stand in a thing, if they do
 */
struct script_lists {
	struct script_bytes list[2];
	struct script_range {
		uint32_t thing, offset, size;		/* @size 0: they do not */
	} place[2];
};

struct script_frame;

/* A BO of a submit: a thing, or with @number the handle that it has */
struct script_handle {
	uint32_t thing;
	bool number;
};

/**
 * struct script_submit - a submit of the ABI
 * @job: its numbers and surfaces
 * @handles: struct script_handle
 * @bin: its three parts, without addresses
 * @records: see @bin
 * @uniforms: see @bin
 */
struct script_submit {
	struct drm_vc4_submit_cl job;
	struct v3dcl_buffer handles;
	struct script_bytes bin, records, uniforms;
};

/**
 * struct script_save - what is saved
 * @name: as
 * @thing: index
 * @offset: in it
 * @size: bytes
 * @plane: of a picture, else its width is 0
 * @flip: the first row of memory is the lowest
 */
struct script_save {
	char *name;
	uint32_t thing, offset, size;
	struct v3dcl_plane plane;
	bool flip;
};

/* A type of numbers */
struct script_type {
	const char *name;
	uint32_t size;
	enum script_type_kind {
		SCRIPT_UNSIGNED,
		SCRIPT_SIGNED,
		SCRIPT_F32,
		SCRIPT_F16,
		SCRIPT_F187,
		SCRIPT_FIXED
	} kind;
};

/**
 * struct script_elements - numbers of one type, one behind the other
 * @at: byte at which they begin
 * @count: of them
 * @type: theirs
 */
struct script_elements {
	uint32_t at, count;
	const struct script_type *type;
};

/**
 * struct script_expect - what must be there
 * @thing: index
 * @offset: in it
 * @bytes: that must stand there
 * @elements: struct script_elements: what of @bytes is numbers, in order
 * @how: these are compared
 * @within: what differs by so much is good: as real numbers, in units in the last place, or bytes
 */
struct script_expect {
	uint32_t thing, offset;
	struct v3dcl_buffer bytes, elements;
	enum script_comparison { SCRIPT_EXACT, SCRIPT_WITHIN, SCRIPT_ULPS, SCRIPT_NEAR } how;
	double within;
};

/**
 * struct script_step - one of the steps, in order
 * @kind: which
 * @at: byte of the text where it stands
 */
struct script_step {
	enum script_step_kind {
		SCRIPT_RUN,
		SCRIPT_LISTS,
		SCRIPT_FRAME,
		SCRIPT_SUBMIT,
		SCRIPT_SAVE,
		SCRIPT_EXPECT
	} kind;
	size_t at;
	union {
		struct script_batch batch;
		struct script_lists lists;
		struct script_frame *frame;
		struct script_submit *submit;
		struct script_save save;
		struct script_expect expect;
	};
};

/**
 * struct script_binning - a tile_binning_mode with memory of the text's
 * @mode: its numbers
 * @lists: where tile lists go
 * @state: where the tile state array is
 * @at: byte of the text where it stands
 */
struct script_binning {
	struct v3d_tile_binning_mode mode;
	struct script_fixup lists, state;
	size_t at;
};

struct v3dcl_script {
	char *name, *source;
	size_t length;
	struct v3dcl_buffer binnings;	/* struct script_binning */
	struct script_thing *things;
	uint32_t thing_count;
	struct script_step *steps;
	uint32_t step_count;
};

/* A name for a place in a thing; @name begins with the thing's and a dot */
struct script_label {
	char *name;
	uint32_t thing, offset;
};

/**
 * struct script_reader - a text being read
 * @lang: what the language knows of it; first, for reader_of()
 * @script: what becomes of it
 * @at: where the next token begins to be looked for
 * @end: of what is read there: of the text, a macro's body, an argument
 * @slices: what is read on when an argument has ended
 * @slice_count: of @slices
 * @now: the token at hand
 * @work: how much more may be done
 * @bytes: how much more memory may be taken
 * @names: constants and counters; the last one counts
 * @name_count: of @names
 * @name_room: there is for so many
 * @labels: places
 * @label_count: of @labels
 * @options: the caller's values for options
 * @option_count: of @options
 * @taken: of each option: the text has it
 */
struct script_reader {
	struct lang lang;
	struct v3dcl_script *script;
	const char *at, *end;
	struct script_slice {
		const char *at, *end;
		struct lang_frame *frame;
	} slices[LANG_MOST_DEPTH];
	uint32_t slice_count;
	struct lang_token now;
	uint64_t work, bytes;
	struct lang_name *names;
	uint32_t name_count, name_room;
	struct script_label *labels;
	uint32_t label_count;
	const char *const *options;
	size_t option_count;
	bool *taken;
	struct v3dcl_buffer offered;	/* names of the text's options, ", " between them */
};

/* text_lexer.c */
extern const struct lang_level script_level;
void script_next(struct script_reader *r);
bool script_follows(const struct script_reader *r, char sign);
void script_seek(struct script_reader *r, const char *at);
bool script_sign(const struct script_reader *r, char sign);
bool script_take_sign(struct script_reader *r, char sign);
void script_need_sign(struct script_reader *r, char sign);
bool script_may_name(const struct lang_token *token);
bool script_word(const struct script_reader *r, const char *word);
bool script_take_word(struct script_reader *r, const char *word);
char *script_take_name(struct script_reader *r, const char *what);
char *script_take_string(struct script_reader *r);
void script_end_of_line(struct script_reader *r);
void script_out_of_memory(struct script_reader *r);
__attribute__((format(printf, 4, 5)))
void script_fail(struct script_reader *r, int code, const char *at, const char *format, ...);

/* text_expression.c */
struct lang_value script_expression(struct script_reader *r);
int64_t script_integer(struct script_reader *r, int64_t least, int64_t most);
void script_not_cut(struct script_reader *r, const struct lang_value *value, const char *at);
double script_real(struct script_reader *r);
struct lang_value script_place(struct script_reader *r);
struct lang_value script_resolve(struct lang *l, const struct lang_token *name);

/* text_names.c */
bool script_find(struct script_reader *r, const char *text, size_t length,
		 struct lang_value *value);
void script_name(struct script_reader *r, const char *text, size_t length,
		 const struct lang_value *value);
uint32_t script_size(const struct script_reader *r, uint32_t thing);
const char *script_called(const struct script_reader *r, uint32_t thing);
void script_label(struct script_reader *r, const char *at, const char *text, size_t length,
		  uint32_t thing, uint32_t offset);
struct script_thing *script_thing(struct script_reader *r, const char *text, size_t length);
struct script_thing *script_add_thing(struct script_reader *r, char *name);
bool script_is_free(struct script_reader *r, const char *text, size_t length);

/* program_hazards.c */
void script_used_as(struct script_reader *r, uint32_t thing, const char *field);
uint32_t script_line_of(const struct v3dcl_script *script, size_t at);
size_t script_start_of(const struct v3dcl_script *script, uint32_t line);

/* binner_hazards.c */
void script_binning(struct script_reader *r, const char *at, const struct script_bytes *bytes,
		    uint32_t start);
uint32_t script_binner_hazards(const struct v3dcl_script *script,
			       bool (*each)(void *opaque, const struct v3dcl_script_hazard *hazard),
			       void *opaque);

/* read_block.c */
typedef void script_statement(struct script_reader *r, void *opaque);
bool script_control(struct script_reader *r, script_statement *statement, void *opaque);
struct lang_token script_assignment(struct script_reader *r, const char *what,
				    struct lang_value *value);
void script_block(struct script_reader *r, script_statement *statement, void *opaque);
void script_line(struct script_reader *r, script_statement *statement, void *opaque);

/* read_record.c */
struct script_record {
	const char *name;
	const struct v3d_field *fields;
	uint32_t length;
	int id;			/* below 0: none, a structure in memory */
};

bool script_find_record(const char *text, size_t length, struct script_record *record);
void script_put_fields(struct script_reader *r, const struct script_record *record,
		       struct script_bytes *bytes);
void script_put_word(struct script_reader *r, const struct cl_described *word,
		     struct script_bytes *bytes);
void script_address(struct script_reader *r, struct script_bytes *bytes, uint32_t at,
		    const struct lang_value *value);

/* read_data.c */
struct script_data {
	struct script_bytes *bytes;
	uint32_t thing;			/* that labels are in, or UINT32_MAX */
	struct v3dcl_buffer *elements; /* struct script_elements, where they are wanted, or NULL */
};

void script_data_statement(struct script_reader *r, void *opaque);
uint8_t *script_add(struct script_reader *r, struct script_bytes *bytes, const void *from,
		    size_t size);
bool script_more(struct script_reader *r);
void script_bytes_free(struct script_bytes *bytes);

/* read_image.c */
void script_image(struct script_reader *r, struct script_bytes *bytes);
void script_flip(uint8_t *rgba, uint32_t width, uint32_t height);

/* read_file.c */
uint8_t *script_read_file(struct script_reader *r, const char *at, const char *name, size_t *size);

/* read_program.c */
void script_program(struct script_reader *r);

/* read_run.c */
void script_batch(struct script_reader *r, const char *at);

/* read_lists.c */
void script_lists(struct script_reader *r, const char *at);

/* read_frame.c */
void script_frame(struct script_reader *r, const char *at);
void script_frame_free(struct script_frame *frame);

/* read_submit.c */
void script_submit(struct script_reader *r, const char *at);
void script_submit_free(struct script_submit *submit);
struct drm_vc4_submit_cl script_submit_job(const struct script_submit *submit,
					   const struct v3dcl_buffer *handles);

/* read_results.c */
void script_save(struct script_reader *r, const char *at);
void script_expect(struct script_reader *r, const char *at);

/* read_text.c */
struct script_step *script_add_step(struct script_reader *r, enum script_step_kind kind,
				    const char *at);
int script_read_within(const char *name, const char *source, size_t length, uint64_t work,
		       const char *const *options, size_t option_count,
		       struct v3dcl_script **script, struct v3dcl_error *error);

#endif /* V3DCL_LANG_TEXT_SCRIPT_H */
