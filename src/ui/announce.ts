import { create } from 'zustand'

export type Urgency = 'polite' | 'assertive'

/** What the live regions say (LiveRegion.tsx). */
export const useAnnouncements = create<Record<Urgency, string>>()(() => ({ polite: '', assertive: '' }))
export const announced = useAnnouncements.getState

/**
 * Says something to a screen reader without showing it. Polite for bag, result counts, downloads;
 * assertive for payment and session only; the passing time never.
 */
export function announce(text: string, urgency: Urgency = 'polite') {
  // The same text twice is not read again; a no-break space, which is not spoken, makes it differ.
  const isAgain = announced()[urgency] === text
  useAnnouncements.setState({ [urgency]: isAgain ? `${text}\u00A0` : text })
}

/** Removes what was announced to one user before the next user's page; later messages of the session stay. */
export const forgetPolite = () => useAnnouncements.setState({ polite: '' })
