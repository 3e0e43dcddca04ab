export function hoursOf(seconds: number) {
  const whole = Math.max(0, Math.floor(seconds || 0))
  return { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, rest: whole % 60 }
}

export const pad = (number: number) => String(number).padStart(2, '0')
