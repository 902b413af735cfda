// SPDX-License-Identifier: MIT
// The same in C++, with a function of a name that the library has inside. For test-install.
#include <cerrno>
#include <iostream>
#include <memory>

#include <v3dcl_device.h>

extern "C" int device_fail();
extern "C" int device_fail()
{
	return 7;
}

int main()
{
	v3dcl_device *opened = nullptr;
	v3dcl_error error{};
	v3dcl_info info{};
	uint32_t bo = 0;

	if (v3dcl_open_simulator(nullptr, &opened, &error)) {
		std::cerr << error.text << '\n';
		return 1;
	}
	std::unique_ptr<v3dcl_device, decltype(&v3dcl_close)> device(opened, v3dcl_close);
	if (v3dcl_device_info(device.get(), &info, &error) || v3dcl_bo_create(device.get(), 0, &bo, &error) != -EINVAL)
		return 2;
	std::cout << info.name << ", " << info.qpus << " QPUs; " << error.text << '\n';
	return device_fail() == 7 && info.qpus ? 0 : 3;
}
