export type Urgency = 'polite' | 'assertive'

/**
 * Says something to a screen reader without showing it. Polite for bag, result counts, downloads;
 * assertive for payment and session only; the passing time never.
 */
export function announce(text: string, urgency: Urgency = 'polite') {
  // The same text twice is not read again; a no-break space, which is not spoken, makes it differ.
  const again = said[urgency] === text
  said = { ...said, [urgency]: again ? `${text}\u00A0` : text }
  listeners.forEach((listener) => listener())
}

export const announced = () => said

/** What was said politely to one person does not stand in the page for the next; of their session more was said since. */
export function forgetPolite() {
  said = { ...said, polite: '' }
  listeners.forEach((listener) => listener())
}

export function onAnnouncement(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

let said: Record<Urgency, string> = { polite: '', assertive: '' }
const listeners = new Set<() => void>()
