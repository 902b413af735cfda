/* SPDX-License-Identifier: MIT */
/*
 * Tiles shaded beside the list (v3dsim_config.threads above 1): the rendering thread goes through
 * its list alone and in order, and fetches, shades vertices and refuses records as ever; but what
 * it would do to the tile buffer it writes down, a tile a job, and shaders' threads do it, each in
 * a tile buffer, a QPU and interpolators of its own: a chip without registers, on which the same
 * functions run as with one thread.
 *
 * A job begins where all that the tile buffer holds is known, because a store has cleared all of
 * it, and ends at the next such store: a tile that is left uncleared goes on in the same job.
 * Inside a job all is in order. Between jobs stores are in the order of the list, each after the
 * whole of all earlier jobs, and so are errors, so that memory is the same with any number of
 * threads even where the list stops with an error. Loads, and primitives whose shader looks
 * textures up, wait for earlier jobs if these store to where they may read, and so do vertex
 * shaders; those that may look up anything wait for all that store. A frame ends, its list ends,
 * and whatever else shows that all is done comes, when all is done.
 *
 * What cannot be done beside the list is done in it, when all jobs are done, on the chip's own tile
 * buffer until that is cleared again: two buffers (record 113), and fragment shaders that may use
 * what QPUs share (semaphores, mutex, VPM, interrupts).
 *
 * So a frame whose textures are what it stores itself gives what one tile after the other gives, as
 * far as textures go. Lists, records, vertices, programs and uniforms that a frame stores to while
 * it reads them are not looked at: there is no result to be the same as (AG100: the caches know
 * nothing of stores).
 *
 * After an error statistics have counted vertices and records of the tiles after it, too, as far as
 * the list had come.
 */
#ifndef V3DSIM_TILES_H
#define V3DSIM_TILES_H

#include "front/cle.h"

struct tiles;
struct primitive;
struct texture_image;
struct v3dsim;

/**
 * tiles_new() - for sim->config, if that wants more than one thread: starts them.
 *
 * Return: false: out of memory
 */
bool tiles_new(struct v3dsim *sim);

/* Ends them; also if tiles_new() failed. Lock not held. */
void tiles_free(struct v3dsim *sim);

/*
 * For the engine, and for any other thread that holds the lock; without threads there is never
 * anything to do.
 */

/**
 * tiles_record() - a record for the tile buffer, done or written down. SIM_STUCK: to be executed
 * again
 */
enum sim_result tiles_record(struct v3dsim *sim, uint32_t addr, const uint8_t *bytes);

/* A primitive for the present tile, likewise. SIM_MORE: is to be drawn here */
enum sim_result tiles_primitive(struct v3dsim *sim, const struct primitive *primitive);

/* The rendering thread is given another list: memory may have changed */
void tiles_list(struct v3dsim *sim);

/**
 * tiles_vertices_wait() - a vertex shader may look up what tiles that are not done store. If so,
 * the engine is kicked.
 */
bool tiles_vertices_wait(struct v3dsim *sim, uint32_t code, uint32_t uniforms);

/* Something written down is not done. If so, the engine is kicked when it is. */
bool tiles_busy(struct v3dsim *sim);

/* Threads have something to do, and are not all waiting for what never comes */
bool tiles_working(struct v3dsim *sim);

/**
 * tiles_oldest() - where the list stood at the oldest thing that is not done.
 *
 * Return: false: there is none
 */
bool tiles_oldest(struct v3dsim *sim, uint32_t *addr);

/* The engine rests or gives way: what is written down so far may be done */
void tiles_publish(struct v3dsim *sim);

/**
 * tiles_cancel() - the rendering thread was reset: what is not done is dropped, by each thread at
 * its next look
 */
void tiles_cancel(struct v3dsim *sim);

/* The chip was reset, and threads are at rest: all is dropped */
void tiles_reset(struct v3dsim *sim);

/**
 * tiles_stores() - the list would store an image, or without one @len bytes at @addr; see
 * tiles_span.c
 */
void tiles_stores(struct v3dsim *sim, const struct texture_image *image, uint32_t addr,
		  uint32_t len);

/* The list would load from an image, or without one @len bytes at @addr; see tiles_span.c */
void tiles_loads(struct v3dsim *sim, const struct texture_image *image, uint32_t addr,
		 uint32_t len);

/* For CPU threads; lock not held. */

/* Threads are at rest when it returns, until as many tiles_resume() */
void tiles_pause(struct v3dsim *sim);
void tiles_resume(struct v3dsim *sim);

/**
 * tiles_begin_anew() - in the child of a process that forked after tiles_pause().
 *
 * Return: false: it has no threads
 */
bool tiles_begin_anew(struct v3dsim *sim);

/* See v3dsim_forget() */
void tiles_forget(struct v3dsim *sim, uint32_t addr, uint32_t len);

#endif /* V3DSIM_TILES_H */
