import { queryOptions } from '@tanstack/react-query'
import type { Device } from '#contract/account.ts'
import { DAY_MS } from '#contract/durations.ts'
import { ownKey } from '#features/query-keys.ts'
import { longDate } from '#format/date.ts'
import { call } from '#net/call.ts'

type DeviceShape = 'phone' | 'tablet' | 'computer'

/** Guessed from the browser's name; Android tablets count as phones. */
export function shapeOf({ browser }: Pick<Device, 'browser'>): DeviceShape {
  if (/\biPad\b/.test(browser)) return 'tablet'
  return /\biPhone\b|\bAndroid\b/.test(browser) ? 'phone' : 'computer'
}

/** The name the user gave it, else `This phone` for the current one, else its browser. */
export function titleOf(device: Pick<Device, 'name' | 'browser' | 'current'>): string {
  return device.current && !isNamed(device) ? `This ${shapeOf(device)}` : device.name
}

/** True if the user named it. */
export const isNamed = ({ name, browser }: Pick<Device, 'name' | 'browser'>): boolean => name !== browser

/** `Today, 22:14`, `Yesterday, 22:14`, `2nd November 2026`, in local time. */
export function lastSeen(iso: string, now: Date): string {
  const at = new Date(iso)
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  if (days > 1) return longDate(localDay(at))
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  return `${days === 1 ? 'Yesterday' : 'Today'}, ${time}`
}

const startOfDay = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
const localDay = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')

export const devicesQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'devices'),
    queryFn: async ({ signal }): Promise<Device[]> =>
      (await call('GET /api/devices', { signal }))['hydra:member'],
    staleTime: 0,
  })

export const renameDevice = (id: string, name: string) =>
  call('PATCH /api/devices/{id}', { params: { id }, body: { name } })

export const logOutDevice = (id: string) => call('POST /api/devices/{id}/log-out', { params: { id } })

export const logOutElsewhere = () => call('POST /api/devices/log-out-others')
