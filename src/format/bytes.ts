/** A size for storage settings, in powers of ten: "612 MB", "2 GB", "1.4 GB", "0.3 MB". */
export function bytes(count: number) {
  const megabytes = Math.max(0, count || 0) / 1_000_000
  if (megabytes >= 999.5) return `${trimmed(megabytes / 1000)} GB`
  if (megabytes >= 10 || megabytes === 0) return `${Math.round(megabytes)} MB`
  return `${trimmed(Math.max(0.1, megabytes))} MB`
}

const trimmed = (number: number) => String(Math.round(number * 10) / 10)
