import type { AudioBookTime } from '#contract/listening.ts'

/** Names of devices, from answers seen so far: live messages carry only their ids. */
export function createDeviceNames() {
  const names = new Map<string, string>()
  /** Asked for once; a device without a name then has none as long as this page lives. */
  const asked = new Set<string>()
  return {
    learn({ deviceId, device }: Pick<AudioBookTime, 'deviceId' | 'device'>) {
      if (deviceId) asked.add(deviceId)
      if (device) names.set(device.id, device.name)
    },
    /** With the device's name where it is known. */
    complete: (row: AudioBookTime): AudioBookTime => {
      const name = names.get(row.deviceId ?? '')
      return row.deviceId && name ? { ...row, device: { id: row.deviceId, name } } : row
    },
    knows: ({ deviceId, device }: Pick<AudioBookTime, 'deviceId' | 'device'>): boolean =>
      device != null || deviceId === null || asked.has(deviceId),
  }
}
