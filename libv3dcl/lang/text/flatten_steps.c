// SPDX-License-Identifier: MIT
/* The steps of a job, as text. */
#include <errno.h>

#include <v3d/qpu.h>

#include "../../cl/choices.h"
#include "flatten.h"

static void say_place(struct flat *f, uint32_t thing, uint32_t offset)
{
	v3dcl_buffer_printf(&f->steps, offset ? "%s + %u" : "%s", f->script->things[thing].name,
			    offset);
}

/* A uniform that is an address, with what the program does there */
static bool say_reloc(struct flat *f, const struct script_batch *batch, uint32_t program,
		      uint32_t slot)
{
	static const char *const how[4] = { "", "read ", "write ", "readwrite " };
	const struct drm_v3dcl_reloc *reloc = (const struct drm_v3dcl_reloc *)batch->relocs.bytes;
	size_t i, count = batch->relocs.size / sizeof(*reloc);

	for (i = 0; i < count; i++, reloc++) {
		if (reloc->program != program || reloc->slot != slot)
			continue;
		v3dcl_buffer_printf(&f->steps, "%s", how[reloc->flags & 3]);
		say_place(f, reloc->handle, reloc->offset);
		return true;
	}
	return false;
}

static void say_batch(struct flat *f, const struct script_batch *batch)
{
	const struct drm_v3dcl_program *run =
		(const struct drm_v3dcl_program *)batch->programs.bytes;
	const uint32_t *uniforms = (const uint32_t *)batch->uniforms.bytes;
	uint32_t i, k, count = batch->programs.size / sizeof(*run);

	v3dcl_buffer_printf(&f->steps, "run ");
	if (batch->timeout_ns)
		v3dcl_buffer_printf(&f->steps, "timeout %u ",
				    (uint32_t)(batch->timeout_ns / 1000000));
	v3dcl_buffer_printf(&f->steps, "{\n");
	for (i = 0; i < count && !f->steps.failed; i++, run++) {
		v3dcl_buffer_printf(&f->steps, "\t%s", f->script->things[run->handle].name);
		if (run->offset)
			v3dcl_buffer_printf(&f->steps, ".at_%u",
					    run->offset / V3D_QPU_INSTRUCTION_BYTES);
		v3dcl_buffer_printf(&f->steps, "(");
		for (k = 0; k < run->uniform_count; k++) {
			v3dcl_buffer_printf(&f->steps, k ? ", " : "");
			if (!say_reloc(f, batch, i, k))
				v3dcl_buffer_printf(&f->steps, "0x%x",
						    uniforms[run->first_uniform + k]);
		}
		v3dcl_buffer_printf(&f->steps, ")\n");
	}
	v3dcl_buffer_printf(&f->steps, "}\n");
}

static void say_string(struct flat *f, const char *text)
{
	v3dcl_buffer_printf(&f->steps, "\"");
	for (; *text; text++) {
		if (*text == '\n' || *text == '\t')
			v3dcl_buffer_printf(&f->steps, *text == '\n' ? "\\n" : "\\t");
		else
			v3dcl_buffer_printf(&f->steps,
					    *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	}
	v3dcl_buffer_printf(&f->steps, "\"");
}

static void say_save(struct flat *f, const struct script_save *save)
{
	const struct v3dcl_plane *plane = &save->plane;

	v3dcl_buffer_printf(&f->steps, "save ");
	say_place(f, save->thing, save->offset);
	if (plane->width)
		v3dcl_buffer_printf(&f->steps, " picture %u %u pixel %s format %s%s", plane->width,
				    plane->height, plane->bits == 32 ? "rgba8888" : "bgr565",
				    cl_choice_name("store_general", "format", plane->format),
				    save->flip ? " flip" : "");
	else
		v3dcl_buffer_printf(&f->steps, " size %u", save->size);
	v3dcl_buffer_printf(&f->steps, " as ");
	say_string(f, save->name);
	v3dcl_buffer_printf(&f->steps, "\n");
}

static void say_expect(struct flat *f, const struct script_expect *expect)
{
	v3dcl_buffer_printf(&f->steps, "expect ");
	say_place(f, expect->thing, expect->offset);
	if (expect->how == SCRIPT_WITHIN || expect->how == SCRIPT_ULPS)
		v3dcl_buffer_printf(&f->steps, " within %.17g%s", expect->within,
				    expect->how == SCRIPT_ULPS ? " ulps" : "");
	else if (expect->how == SCRIPT_NEAR)
		v3dcl_buffer_printf(&f->steps, " near %g", expect->within);
	v3dcl_buffer_printf(&f->steps, " {\n");
	decode_write_data(&f->steps, expect->bytes.bytes, expect->bytes.size, 0);
	v3dcl_buffer_printf(&f->steps, "}\n");
}

/* Lists of the text's own are memory as well */
static int lists(struct flat *f, const struct script_lists *step)
{
	uint32_t ends[4] = { 0 }, i, index;
	int ret = 0;

	for (i = 0; i < 2 && !ret; i++) {
		const struct script_range *place = &step->place[i];

		if (place->size) {
			ends[2 * i] = flat_piece(f, place->thing)->address + place->offset;
			ends[2 * i + 1] = ends[2 * i] + place->size;
		} else if (step->list[i].data.size) {
			ret = flat_add(f, i ? "render" : "bin", &step->list[i],
				       step->list[i].data.size, &index);
			if (ret)
				break;
			ends[2 * i] = flat_piece(f, index)->address;
			ends[2 * i + 1] = ends[2 * i] + step->list[i].data.size;
		}
	}
	if (!ret)
		flat_lists(f, ends);
	return ret;
}

/* A step's text; memory of its own is a piece */
int flat_step(struct flat *f, const struct script_step *step)
{
	if (step->kind == SCRIPT_FRAME)
		return flat_frame(f, step->frame);
	if (step->kind == SCRIPT_LISTS)
		return lists(f, &step->lists);
	if (step->kind == SCRIPT_SUBMIT)
		return flat_submit(f, step->submit);
	if (f->json)
		return 0;
	if (step->kind == SCRIPT_RUN)
		say_batch(f, &step->batch);
	else if (step->kind == SCRIPT_SAVE)
		say_save(f, &step->save);
	else
		say_expect(f, &step->expect);
	return 0;
}
