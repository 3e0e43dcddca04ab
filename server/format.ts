/** `£12.00`, `−£3.50` */
export const formatPounds = (minor: number): string =>
  `${minor < 0 ? '−' : ''}£${(Math.abs(minor) / 100).toFixed(2)}`

/** `25th December 2026`, the date format of the site (CONST-14). */
export function dayIn(zone: string, at: string | Date): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone }).format(new Date(at))
  return day.replace(/^\d+/, (figures) => ordinal(Number(figures)))
}

const ordinal = (day: number): string => {
  const isTeen = day > 10 && day < 14
  return `${day}${(!isTeen && ['', 'st', 'nd', 'rd'][day % 10]) || 'th'}`
}

/** `08:00` */
export const hourIn = (zone: string, at: string | Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone }).format(new Date(at))
