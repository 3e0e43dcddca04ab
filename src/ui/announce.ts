export type Urgency = 'polite' | 'assertive'

/**
 * Says something to a screen reader without showing it. Polite for bag, result counts, downloads;
 * assertive for payment and session only; the passing time never.
 */
export function announce(text: string, urgency: Urgency = 'polite') {
  // The same words twice are not read again, unless the text differs: a no-break space is not spoken.
  const again = said[urgency] === text
  said = { ...said, [urgency]: again ? `${text}\u00A0` : text }
  listeners.forEach((listener) => listener())
}

export const announced = () => said

export function onAnnouncement(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

let said: Record<Urgency, string> = { polite: '', assertive: '' }
const listeners = new Set<() => void>()
