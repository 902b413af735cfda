// SPDX-License-Identifier: MIT
/* What the V3D and its driver can do, for who asks. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* As the module's */
bool emu_is_root(const struct emu_device *dev)
{
	return !dev->config.unprivileged && (!dev->config.root_only || !geteuid());
}

bool emu_may_run_unverified(const struct emu_device *dev)
{
	return dev->config.unverified && emu_is_root(dev);
}

/* Where the rule is not about a number, both numbers are alike, and tell nothing */
static void say_refusal(const struct v3dcl_refusal *refusal)
{
	char numbers[64] = "";

	if (refusal->found != refusal->expected)
		snprintf(numbers, sizeof(numbers), " (found 0x%llx, expected 0x%llx)",
			 (unsigned long long)refusal->found,
			 (unsigned long long)refusal->expected);
	fprintf(stderr, "v3d: refused: part %u, byte %u: %s%s\n", refusal->part, refusal->offset,
		v3dcl_rule_text(refusal->rule), numbers);
}

int emu_refuse(struct emu_file *file, const struct v3dcl_refusal *refusal)
{
	uint64_t serial;

	pthread_mutex_lock(&file->refusal_lock);
	serial = file->refusal.serial + 1;
	file->refusal = *refusal;
	file->refusal.serial = serial;
	pthread_mutex_unlock(&file->refusal_lock);
	if (!file->dev->config.quiet)
		say_refusal(refusal);
	return -EINVAL;
}

int emu_get_refusal(struct emu_file *file, void *arg)
{
	struct drm_v3dcl_refusal *args = arg;
	struct v3dcl_refusal refusal;

	if (args->pad)
		return -EINVAL;
	pthread_mutex_lock(&file->refusal_lock);
	refusal = file->refusal;
	pthread_mutex_unlock(&file->refusal_lock);
	v3dcl_tell_refusal(&refusal, args);
	return 0;
}

int emu_get_param(struct emu_file *file, void *arg)
{
	return v3dcl_get_param(file->dev->ident, arg) ? 0 : -EINVAL;
}

int emu_get_own_param(struct emu_file *file, void *arg)
{
	const struct emu_device *dev = file->dev;
	struct v3dcl_params params = {
		.qpus = dev->qpus, .unverified = emu_may_run_unverified(dev), .budget = dev->budget,
	};

	pthread_mutex_lock(&file->dev->lock);
	params.used = dev->used;
	params.guilty = file->guilty;
	params.innocent = file->innocent;
	params.resets = file->dev->stats.hangs;
	pthread_mutex_unlock(&file->dev->lock);
	return v3dcl_get_own_param(&params, arg) ? 0 : -EINVAL;
}

/* The last hang, once. As in the module, no BOs are told. */
int emu_get_hang_state(struct emu_file *file, void *arg)
{
	struct drm_vc4_get_hang_state *args = arg;
	struct emu_device *dev = file->dev;
	__u64 user = args->bo;
	int ret = -ENOENT;

	if (!emu_is_root(dev))
		return -EACCES;
	pthread_mutex_lock(&dev->lock);
	if (!dev->hang_told) {
		*args = dev->hang;
		args->bo = user;
		args->bo_count = 0;
		dev->hang_told = true;
		ret = 0;
	}
	pthread_mutex_unlock(&dev->lock);
	return ret;
}
