import type { Device } from '#contract/account.ts'
import type { LoggedInDevice } from './devices.ts'

export const deviceView = (device: LoggedInDevice): Device => ({
  '@id': `/api/devices/${device.id}`,
  '@type': 'Device',
  id: device.id,
  name: device.name,
  browser: device.browser,
  current: device.isCurrent,
  lastSeenAt: device.lastSeenAt.toISOString(),
  loggedInAt: device.loggedInAt.toISOString(),
})
