import type { DeviceHere } from '#contract/account.ts'
import { deviceId } from '#storage/values.ts'
import { browserName } from './browser-name.ts'

/** The browser's description of itself when a session opens or is renewed. Rejects where nothing can be stored. */
export const thisDevice = async (): Promise<DeviceHere> => ({
  id: await deviceId(),
  browser: browserName(navigator.userAgent, navigator.maxTouchPoints),
})
