/* SPDX-License-Identifier: (GPL-2.0-only OR MIT) */
/*
 * Every rule a job or program can break: R(number, NAME, sentence). Numbers are ABI (&struct
 * drm_v3dcl_refusal.rule): never reuse or change one. Sentences fit the 95 characters that
 * drm_v3dcl_refusal.text has room for.
 */
#ifndef V3DCL_VALIDATE_RULES_H
#define V3DCL_VALIDATE_RULES_H

/* What any part can break */
#define V3DCL_RULES_COMMON(R) \
	R(1, TRUNCATED, "the data ends before what is needed here") \
	R(2, BO_INDEX, "a BO index is not below the number of BOs of the job") \
	R(3, BO_PLAIN, "a BO of code is used as memory") \
	R(4, BO_SHADER, "the BO is no shader BO") \
	R(5, BO_PROGRAM, "the BO is no BO of a user program") \
	R(6, BO_END, "the access reaches beyond the end of its BO") \
	R(7, OVERFLOW, "a size or address does not fit 32 bits") \
	R(8, NO_ROOM, "the memory given for the checked job is too small, or wraps") \
	R(9, BO_HANDLE, "no BO has this handle") \
	R(10, INTERNAL, "a bound of the checker's own does not hold: please report this job")

/* The bin list */
#define V3DCL_RULES_BIN(R) \
	R(20, RECORD_UNKNOWN, "no control record has this number") \
	R(21, RECORD_FORBIDDEN, "this control record is not allowed in a bin list") \
	R(22, BIN_MODE_MISSING, "the bin list has no tile binning mode before binning starts") \
	R(23, BIN_MODE_TWICE, "the tile binning mode is set twice") \
	R(24, BIN_TILES, "the tile binning mode has no tiles") \
	R(25, BIN_FLAGS, "64-bit colour and double buffering are not supported") \
	R(26, BIN_MEMORY, "the tile memory given is too small or not aligned") \
	R(27, START_TWICE, "tile binning is started twice") \
	R(28, START_MISSING, "tile binning has not been started") \
	R(29, BIN_END, \
	  "a bin list ends with Increment Semaphore and Flush, and has them nowhere else") \
	R(30, SHADER_MISSING, "a draw comes before any shader state") \
	R(31, PRIMITIVE_MODE, "no such kind of primitive") \
	R(32, INDEX_TYPE, "indices have 8 or 16 bits") \
	R(33, INDEX_END, "the index list reaches beyond the end of its BO") \
	R(34, INDEX_ALIGNMENT, "16-bit indices start at an even address") \
	R(35, VERTEX_END, "a vertex of the draw reaches beyond the end of an attribute's BO") \
	R(36, HANDLES_MISSING, "an indexed draw comes before any record of BO handles") \
	R(37, LIST_FORMAT, "bin lists have 16-bit indices: no other primitive list format") \
	R(38, DRAW_LENGTH, "a draw has at least one vertex") \
	R(39, CLIP_MISSING, "a draw comes before any clip window") \
	R(40, DRAW_VARYINGS, \
	  "the fragment shader reads more or fewer varyings than such a primitive has")

/* Shader records */
#define V3DCL_RULES_SHADER_RECORD(R) \
	/* 51 was for extended records, 62 for their strides */ \
	R(50, SHADER_ADDRESS, "a shader state names its record by order: its address is 0") \
	R(52, SHADER_COUNT, "there are more shader states than the submit says") \
	R(53, SHADER_OFFSET, "a shader starts at the start of its BO") \
	R(54, SHADER_THREADING, \
	  "the record's threading flag differs from what the fragment shader does") \
	R(55, SHADER_THREADED, "a vertex or coordinate shader switches threads") \
	R(56, SHADER_USES_VPM, "a fragment shader uses the VPM") \
	R(57, SHADER_USES_TILE, \
	  "a vertex or coordinate shader uses the tile buffer, the scoreboard or varyings") \
	R(58, ATTRIBUTE_END, "an attribute reaches beyond the end of its BO") \
	R(59, SHADER_ROWS, "a shader reads rows of the VPM that no attribute of its record fills") \
	R(60, ATTRIBUTE_ROWS, \
	  "an attribute goes beyond the rows of the VPM that its record reserves") \
	R(61, SHADER_OUTPUT, \
	  "a shader writes not just those rows of the VPM that are a shaded vertex of its record")

/* Uniform streams and the textures that they describe */
#define V3DCL_RULES_UNIFORM(R) \
	R(70, UNIFORMS_SHORT, "the uniforms end before the shader's stream does") \
	R(71, DIRECT_BASE, "the base of a direct read is not inside its BO") \
	R(72, DIRECT_LIMIT, "the limit of a direct read allows reads beyond the end of its BO") \
	R(73, TEXTURE_TYPE, "no such texture type, or one whose layout is not known") \
	R(74, TEXTURE_BO_ALIGNMENT, "a BO sampled as a texture starts at a multiple of 4096") \
	R(75, TEXTURE_END, "the texture's first level reaches beyond the end of its BO") \
	R(76, TEXTURE_LEVELS, "the smaller levels of the texture begin before its BO") \
	R(77, TEXTURE_CUBE_STRIDE, "a cube map has exactly one stride between faces, not 0") \
	R(78, TEXTURE_CHILD, \
	  "a child image has one size and one offset, no reserved bits, and is no cube map") \
	R(79, TEXTURE_LEVEL_COUNT, "a texture has at most 12 levels") \
	R(80, TEXTURE_CHILD_END, \
	  "a child image lies inside its image, in whole texels of each level; neither is 2048 " \
	  "(HW-2753)") \
	R(81, TEXTURE_RASTER_WIDTH, \
	  "a raster texture's width is a power of two, else the chip misreads it (HW-2898): " \
	  "pad it to one") \
	R(82, SETUP_UNIFORM, \
	  "a uniform that sets up the VPM is not the word that its shader needs, which is expected")

/* QPU code */
#define V3DCL_RULES_CODE(R) \
	R(100, CODE_SIZE, \
	  "code has at least one instruction and no more than fit the caller's limit") \
	R(101, CODE_SIGNAL, "this signal is not allowed") \
	R(102, CODE_OP, "a reserved operation") \
	R(103, CODE_LOAD, "a reserved or forbidden kind of load immediate") \
	R(104, CODE_SEMAPHORE, "shaders do not use semaphores") \
	R(105, CODE_WRITE, "a register that must not be written") \
	R(106, CODE_READ, "a register that must not be read") \
	R(107, CODE_END, "no program end with its two delay slots before the end of the code") \
	R(108, CODE_END_ACCESS, \
	  "the last three instructions read no uniforms and use no VPM, the last one writes no Z") \
	R(109, BRANCH_CONDITION, "a reserved branch condition") \
	R(110, BRANCH_KIND, \
	  "branches are relative, without a register, or returns of user programs: bra 0 + ra0") \
	R(111, BRANCH_WRITE, \
	  "a branch writes no register, but a link in user programs, which its slots leave alone") \
	R(112, BRANCH_TARGET, "a branch or its end leaves the program") \
	R(113, BRANCH_SLOT, \
	  "a branch stands in the delay slots of another, of a thread switch or of the program " \
	  "end") \
	R(114, SWITCH_SLOT, \
	  "a thread switch stands in the delay slots of another, of a branch or of the program " \
	  "end") \
	R(115, UNIFORM_LOST, "a uniform is read where the position in the stream is unknown") \
	R(116, UNIFORM_UNREAD, "a uniform is fetched, but no operation takes it") \
	R(117, UNIFORM_SOON, "a uniform is read within two instructions of setting the address") \
	R(118, ADDRESS_RELATIVE, "the uniforms address is written through register file A") \
	R(119, ADDRESS_FORM, \
	  "the uniforms address is written by a plain add of a constant and a uniform") \
	R(120, ADDRESS_CONSTANT, "the uniforms address is set to the uniform that follows it") \
	R(121, TMU_BOTH, "both halves of an instruction write to a TMU") \
	R(122, TMU_UNIFORM, "an instruction that sets up a texture lookup also reads a uniform") \
	R(123, TMU_TWICE, "a parameter of a texture lookup is written twice") \
	R(124, TMU_CONDITION, "a TMU write is conditional on never") \
	R(125, TMU_OPEN, \
	  "a texture lookup is set up across a branch, its target or the program end") \
	R(126, DIRECT_FORM, \
	  "a direct read is an unconditional add of a clamped value and a uniform") \
	R(127, DIRECT_CLAMP, \
	  "the address of a direct read is not clamped by max(x, 0) and min(x, uniform)") \
	R(128, THREADED_REGISTER, "a shader that switches threads uses registers 16 to 31") \
	R(129, SCRATCH, "the scratch memory is too small for this code") \
	R(130, ADDRESS_SLOT, "the uniforms address is set in the delay slots of a branch") \
	R(131, CODE_UNDEFINED, \
	  "a register or accumulator is read that is not written before, on some path or in some " \
	  "elements") \
	R(132, FLAGS_UNDEFINED, \
	  "flags are used that are not set before, on some path or in some elements") \
	R(133, CODE_WORK, \
	  "the code has too many branches, or loops that are too deep, to be analysed") \
	R(134, ADDRESS_UNKNOWN, "an address is not known to be a uniform plus what is clamped") \
	R(135, SETUP_UNKNOWN, "a set-up word is not known but for its address or stride") \
	R(136, SETUP_WORD, \
	  "a set-up word has reserved bits or modes, or more than its address field is not known") \
	R(137, SETUP_MISSING, "VPM or memory is accessed before it is set up, on some path") \
	R(138, DMA_ROWS, \
	  "the transfer reaches beyond the 64 VPM rows of user programs, or wraps in them") \
	R(139, MUTEX_TWICE, "the mutex is acquired while it is held, or released while it is not") \
	R(140, MUTEX_HELD, "the program ends with the mutex held") \
	R(141, MUTEX_PATHS, "paths meet of which only one holds the mutex") \
	R(142, SEMAPHORE_PATHS, "paths that meet, or end, differ in what they did to a semaphore") \
	R(143, TMU_EMPTY, "a TMU's result is loaded that nothing has asked for") \
	R(144, TMU_FULL, "more than 4 requests to a TMU wait to be loaded") \
	R(145, TMU_UNREAD, "the program ends before it has loaded all results of a TMU") \
	R(146, TMU_PATHS, "paths meet with different numbers of results that wait in a TMU") \
	R(147, VPM_EMPTY, "the VPM is read without a set-up that has a value left") \
	R(148, VPM_UNREAD, \
	  "a VPM read set-up, or the program's end, comes before all values have been read") \
	R(149, VPM_PATHS, "paths meet with different numbers of VPM values left to read")

/* More of it */
#define V3DCL_RULES_CODE_2(R) \
	R(220, VPM_SOON, \
	  "the VPM is read within three instructions of its set-up: put others in between") \
	R(221, SFU_SOON, "r4 is read or written within two instructions of an SFU write") \
	R(222, ROTATE_SOON, "what the instruction before wrote is rotated, or rotated by") \
	R(223, DMA_PENDING, "a transfer may still be under way: wait for it first") \
	R(224, IO_CONDITION, "what has an effect beyond the QPU is written under a condition") \
	R(225, IDLE_WRITE, "an operation that does nothing names a register to write") \
	R(226, PERIPHERALS, \
	  "an instruction accesses more than one of TMU, SFU, tile buffer, mutex and semaphores") \
	R(227, SLOT_TARGET, "a branch leads into delay slots") \
	R(228, END_REGISTER, \
	  "the last three instructions touch register 14, or the program end writes a register") \
	R(229, INTERRUPT_TWICE, "the host interrupt is raised more than once on a path") \
	R(230, CODE_PACK, "a reserved pack mode") \
	R(231, CODE_USES, "the program has too many different memory accesses") \
	R(232, VARYING_PATHS, \
	  "paths that meet, or end, differ in how many varyings they have read") \
	R(233, WRITE_BOTH, \
	  "both halves write one accumulator or unit: the guide leaves open what comes of it") \
	R(234, SETUP_TWICE, \
	  "a uniform sets up VPM reads and writes at once, or more than 16 uniforms do: use ldi")

/* The render list's surfaces */
#define V3DCL_RULES_SURFACE(R) \
	R(150, SIZE_RANGE, "a frame is 1 to 4096 pixels wide and high") \
	R(151, TILE_ORDER, "the first tile comes after the last") \
	R(152, TILE_FRAME, "the tiles reach beyond the frame") \
	R(153, TILE_BIN, "the tiles reach beyond those of the bin list") \
	R(155, SURFACE_FLAGS, "unknown flags of a surface, or flags that this one cannot have") \
	R(156, SURFACE_BITS, "unknown bits of a surface, or bits that this one cannot have") \
	R(157, SURFACE_BUFFER, "the surface is of the wrong tile buffer") \
	R(158, SURFACE_TILING, "no such memory format") \
	R(159, SURFACE_PIXEL, "no such pixel format") \
	R(160, SURFACE_ALIGNMENT, "a surface starts at a multiple of 16 bytes") \
	R(161, SURFACE_END, "the surface reaches beyond the end of its BO") \
	R(162, SURFACE_MULTISAMPLE, \
	  "a frame's multisample mode differs from that of its bin list") \
	R(163, SUBMIT_FLAGS, "unknown flags of the submit")

/* User programs' submits */
#define V3DCL_RULES_PROGRAM(R) \
	R(180, PROGRAM_OFFSET, "a program starts at a multiple of 8 inside its BO") \
	R(181, PROGRAM_END, "no program end follows the program's start") \
	R(182, PROGRAM_UNIFORMS, "a run's uniforms are not among those of the job") \
	R(183, RELOC_PROGRAM, "a relocation names no program of the job") \
	R(184, RELOC_SLOT, "a relocation's slot is not below the run's number of uniforms") \
	R(185, RELOC_OFFSET, "a relocation's offset is not inside its BO") \
	R(186, RELOC_FLAGS, "a relocation reads, writes or both, and has no other flags") \
	R(187, RELOC_PAD, "a relocation's pad is 0") \
	R(188, SUBMIT_RANGE, "a count, timeout, flag or pad of the submit is out of its range") \
	R(189, PROGRAM_START, "a verified program is run from the start of its BO") \
	R(190, PROGRAM_SHORT, "the run has fewer uniforms than the program reads") \
	R(191, ADDRESS_RELOC, \
	  "an address that the program uses must come from exactly one relocation") \
	R(192, ADDRESS_FLAGS, \
	  "the relocation of an address does not say that the program reads, or writes, there") \
	R(193, ADDRESS_END, \
	  "with these uniforms the program reaches beyond the BO of the relocation") \
	R(194, LIMIT_NEGATIVE, \
	  "a uniform that is a limit is negative, or one of a mul24 has more than 24 bits") \
	R(195, RESET_SHARED, \
	  "a uniform that takes the address of the stream is relocated, or shared with a " \
	  "different stream") \
	R(196, SEMAPHORE_SUM, "the runs of the job together leave a semaphore raised or lowered")

/* Raw lists: SUBMIT_LISTS */
#define V3DCL_RULES_LISTS(R) \
	R(200, LIST_NONE, "there is neither a bin list nor a render list") \
	R(201, LIST_END, "a list ends before its start, or beyond the end of its BO") \
	R(202, PLACE_END, "the place for an address reaches beyond the end of its BO") \
	R(203, PLACE_TARGET, "an address is not inside its target") \
	R(204, PLACE_MAPPED, "addresses are not written into BOs that another device made")

/* What silicon does not survive, and what is safe under one reading of the guide only */
#define V3DCL_RULES_SILICON(R) \
	R(240, STATE_CHANGES, \
	  "more than 0x1ef0 changes of state, one a draw, upset the chip (HW-2116): split it") \
	R(241, POINT_SIZE, "points below 0.125 pixels stop the binner (HW-2726): make it 0.125") \
	R(242, SHADER_EXTENDED, \
	  "extended shader records are not supported: use a plain one, with 8-bit strides") \
	R(243, TMU_HALF, \
	  "a threaded shader has 2 requests, 4 values in all, in a TMU at most: load them first") \
	R(244, TMU_SWITCH, \
	  "a threaded shader loads what it asked a TMU for after one switch, before another")

/* Physical addresses are told to no user */
#define V3DCL_RULES_TOLD(R) \
	R(250, ADDRESS_TOLD, \
	  "what is computed from an address leaves the QPU, by the instruction that was found") \
	R(251, ADDRESS_TAKEN, \
	  "an instruction of a shader that takes an address from a uniform does more with it")

/* What programs of user programs may be like */
#define V3DCL_RULES_CALL(R) \
	R(252, LINK_UNKNOWN, \
	  "a branch to a register that a call has not written, whole, on every path to here") \
	R(253, REGISTER_SOON, \
	  "a register is read by the instruction after the one that first writes it: too early")

#define V3DCL_RULES(R) \
	V3DCL_RULES_COMMON(R) V3DCL_RULES_BIN(R) V3DCL_RULES_SHADER_RECORD(R) \
	V3DCL_RULES_UNIFORM(R) V3DCL_RULES_CODE(R) V3DCL_RULES_SURFACE(R) V3DCL_RULES_PROGRAM(R) \
	V3DCL_RULES_LISTS(R) V3DCL_RULES_CODE_2(R) V3DCL_RULES_SILICON(R) \
	V3DCL_RULES_TOLD(R) V3DCL_RULES_CALL(R)

#define V3DCL_RULE_CONSTANT(number, name, text) V3DCL_RULE_##name = (number),
enum v3dcl_rule { V3DCL_RULE_NONE, V3DCL_RULES(V3DCL_RULE_CONSTANT) V3DCL_RULE_LIMIT };

#endif /* V3DCL_VALIDATE_RULES_H */
