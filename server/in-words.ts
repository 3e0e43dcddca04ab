/** `£12.00`, `−£3.50` */
export const inPounds = (minor: number): string =>
  `${minor < 0 ? '−' : ''}£${(Math.abs(minor) / 100).toFixed(2)}`

/** `25 December 2026` */
export const dayIn = (zone: string, at: string | Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zone }).format(new Date(at))

/** `08:00` */
export const hourIn = (zone: string, at: string | Date): string =>
  new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: zone }).format(new Date(at))
