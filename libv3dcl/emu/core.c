// SPDX-License-Identifier: MIT
/* The ioctls that the kernel's DRM core answers for every driver, as for one without a display. */
#include <errno.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

#include "core.h"

#define CAP_SYNCOBJ_TIMELINE 0x14

static int tell_string(uint64_t user, size_t *len, const char *text)
{
	size_t room = MIN(*len, strlen(text));

	*len = strlen(text);
	return room && user ? user_write(user, text, room) : 0;
}

int core_version(struct emu_file *file, void *arg)
{
	struct drm_version *args = arg;
	int ret;

	(void)file;
	args->version_major = 0;
	args->version_minor = 1;
	args->version_patchlevel = 0;
	/* what Mesa and IGT look for */
	ret = tell_string((uintptr_t)args->name, &args->name_len, "vc4");
	if (!ret)
		ret = tell_string((uintptr_t)args->date, &args->date_len, "20261121");
	return ret ? ret : tell_string((uintptr_t)args->desc, &args->desc_len, "VideoCore IV V3D");
}

int core_get_unique(struct emu_file *file, void *arg)
{
	struct drm_unique *args = arg;

	(void)file;
	args->unique_len = 0;
	return 0;
}

int core_set_version(struct emu_file *file, void *arg)
{
	struct drm_set_version *args = arg;
	bool interface_known = args->drm_di_major == 1 && args->drm_di_minor >= 0 &&
			       args->drm_di_minor <= 4;
	bool driver_known = !args->drm_dd_major && args->drm_dd_minor >= 0 &&
			    args->drm_dd_minor <= 1;
	bool known = (args->drm_di_major == -1 || interface_known) &&
		     (args->drm_dd_major == -1 || driver_known);

	if (!file->primary)
		return -EACCES;
	*args = (struct drm_set_version){ 1, 4, 0, 1 };
	return known ? 0 : -EINVAL;
}

int core_get_client(struct emu_file *file, void *arg)
{
	struct drm_client *args = arg;

	if (args->idx)
		return -EINVAL;
	args->auth = file->authenticated;
	args->pid = getpid();
	args->uid = 0;
	args->magic = 0;
	args->iocs = 0;
	return 0;
}

int core_get_magic(struct emu_file *file, void *arg)
{
	struct drm_auth *args = arg;

	if (!file->primary)
		return -EACCES;
	pthread_mutex_lock(&file->dev->lock);
	if (!file->magic)
		file->magic = table_add(&file->dev->magics, file);
	args->magic = file->magic;
	pthread_mutex_unlock(&file->dev->lock);
	return args->magic ? 0 : -ENOMEM;
}

int core_auth_magic(struct emu_file *file, void *arg)
{
	const struct drm_auth *args = arg;
	struct emu_device *dev = file->dev;
	struct emu_file *other;
	int ret = -EINVAL;

	pthread_mutex_lock(&dev->lock);
	other = table_get(&dev->magics, args->magic);
	if (dev->master != file) {
		ret = -EACCES;
	} else if (other && other->realm == file->realm) {
		table_remove(&dev->magics, args->magic);
		other->magic = 0;
		other->authenticated = true;
		ret = 0;
	}
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

int core_get_cap(struct emu_file *file, void *arg)
{
	struct drm_get_cap *args = arg;

	switch (args->capability) {
	case DRM_CAP_TIMESTAMP_MONOTONIC:
	case DRM_CAP_SYNCOBJ:
	case CAP_SYNCOBJ_TIMELINE:
		args->value = 1;
		return 0;
	case DRM_CAP_PRIME:
		args->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
		return 0;
	case DRM_CAP_DUMB_BUFFER:
	case DRM_CAP_ADDFB2_MODIFIERS:
		args->value = 1;
		return file->dev->config.width ? 0 : -EOPNOTSUPP;
	case DRM_CAP_DUMB_PREFERRED_DEPTH:
	case DRM_CAP_DUMB_PREFER_SHADOW:
	case DRM_CAP_ASYNC_PAGE_FLIP:
		args->value = args->capability == DRM_CAP_ASYNC_PAGE_FLIP;
		return file->dev->config.width ? 0 : -EOPNOTSUPP;
	default:
		args->value = 0;
		return -EOPNOTSUPP;	/* all others are a display's */
	}
}

int core_no_display(struct emu_file *file, void *arg)
{
	(void)arg;
	return file->primary ? -EOPNOTSUPP : -EACCES;
}

int core_set_client_cap(struct emu_file *file, void *arg)
{
	(void)file;
	(void)arg;
	return -EOPNOTSUPP;
}

static void make_realm(struct emu_file *file)
{
	file->realm = ++file->dev->realms;
	file->made_realm = true;
	file->authenticated = true;
	file->dev->master = file;
}

/* A client that opens the primary node while there is no master becomes it. Lock held. */
void core_opened(struct emu_file *file)
{
	struct emu_device *dev = file->dev;

	file->authenticated = !geteuid();
	if (!file->primary)
		return;
	if (dev->master)
		file->realm = dev->master->realm;
	else
		make_realm(file);
}

/* Lock held */
void core_closed(struct emu_file *file)
{
	table_remove(&file->dev->magics, file->magic);
	if (file->dev->master == file)
		file->dev->master = NULL;
}

/* Only root becomes master again without having been it */
static bool may_be_master(const struct emu_file *file)
{
	return file->made_realm || !geteuid();
}

int core_set_master(struct emu_file *file, void *arg)
{
	struct emu_device *dev = file->dev;
	int ret = 0;

	(void)arg;
	pthread_mutex_lock(&dev->lock);
	if (!file->primary || !may_be_master(file))
		ret = -EACCES;
	else if (dev->master && dev->master != file)
		ret = -EBUSY;
	else if (!file->made_realm)
		make_realm(file);
	else
		dev->master = file;
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

int core_drop_master(struct emu_file *file, void *arg)
{
	struct emu_device *dev = file->dev;
	int ret = 0;

	(void)arg;
	pthread_mutex_lock(&dev->lock);
	if (!file->primary || !may_be_master(file))
		ret = -EACCES;
	else if (dev->master != file)
		ret = -EINVAL;
	else
		dev->master = NULL;
	pthread_mutex_unlock(&dev->lock);
	return ret;
}

int core_get_stats(struct emu_file *file, void *arg)
{
	(void)file;
	memset(arg, 0, sizeof(struct drm_stats));
	return 0;
}
