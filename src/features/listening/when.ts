/** "08:42" of today, "Tuesday 08:42" of this week, "3 March 08:42" before. Local time: it is the listener's day. */
export function when(iso: string, nowMs: number): string {
  const at = new Date(iso)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const now = new Date(nowMs)
  if (at.toDateString() === now.toDateString()) return time
  const days = (nowMs - at.getTime()) / 86_400_000
  if (days >= 0 && days < 6) return `${at.toLocaleDateString('en-GB', { weekday: 'long' })} ${time}`
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })} ${time}`
}
