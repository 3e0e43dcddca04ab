/** "March 2021": first publication. Takes an ISO date or instant; '' for what is neither. */
export function monthYear(iso: string) {
  const date = parse(iso)
  return date ? `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}` : ''
}

/** "3rd March 2026": payments, orders, expiry, articles. */
export function longDate(iso: string) {
  const date = parse(iso)
  return date ? `${ordinal(date.getUTCDate())} ${monthYear(iso)}` : ''
}

/** Always UTC: the server's markup and every listener's browser must name the same day. */
function parse(iso: string) {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function ordinal(day: number) {
  const teen = day > 10 && day < 14
  return `${day}${(!teen && ['', 'st', 'nd', 'rd'][day % 10]) || 'th'}`
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
