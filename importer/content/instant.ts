const london = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  dateStyle: 'short',
  timeStyle: 'short',
})

/**
 * Parses a date or time in a file. A date alone is midnight UTC. A time without a zone is London time, independent of
 * the server's zone.
 *
 * @returns undefined for an invalid date
 */
export function instantOf(text: string): Date | undefined {
  const [, day = '', hour, zone] = /^(\d{4}-\d{2}-\d{2})(?:[T ]([\d:]+)(.*))?$/.exec(text) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  // JavaScript silently turns 31 February into 3 March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  if (hour === undefined) return midnight
  const instant = new Date(`${day}T${hour}${zone || 'Z'}`)
  if (Number.isNaN(instant.getTime())) return undefined
  return zone ? instant : new Date(instant.getTime() - aheadMs(instant))
}

/**
 * London's offset from UTC in milliseconds: one hour in summer. During the hour of the change either value is
 * acceptable.
 */
function aheadMs(instant: Date): number {
  const [, day, month, year, hour, minute] =
    /(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(london.format(instant))?.map(Number) ?? []
  const shown = Date.UTC(year!, month! - 1, day, hour, minute)
  return shown - Math.floor(instant.getTime() / 60_000) * 60_000
}
