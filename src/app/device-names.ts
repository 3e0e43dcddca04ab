import type { AudioBookTime } from '#contract/listening.ts'

/** What devices are called, as far as answers said so: what is told in passing carries only their ids. */
export function createDeviceNames() {
  const names = new Map<string, string>()
  /** Asked for once; a device that has no name then has none for this page. */
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
