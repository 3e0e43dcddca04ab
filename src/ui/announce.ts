import { create } from 'zustand'

type Urgency = 'polite' | 'assertive'

export const useAnnouncements = create<Record<Urgency, string>>()(() => ({ polite: '', assertive: '' }))
export const announced = useAnnouncements.getState

/**
 * Announces text to screen readers without showing it. Polite for bag, result counts, downloads; assertive
 * for payment and session only; never for the playback time.
 */
export function announce(text: string, urgency: Urgency = 'polite') {
  // Repeated text is not announced again; a no-break space, which is not spoken, makes it differ.
  const isAgain = announced()[urgency] === text
  useAnnouncements.setState({ [urgency]: isAgain ? `${text}\u00A0` : text })
}

/** Removes what was announced to one user before the next user's page; later messages of the session stay. */
export const forgetPolite = () => useAnnouncements.setState({ polite: '' })
