import { create } from 'zustand'

/** The browser's deferred install prompt; Chromium only. */
interface InstallOffer extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

interface InstallState {
  offer: InstallOffer | undefined
  installed: boolean
}

export const useInstall = create<InstallState>()(() => ({ offer: undefined, installed: false }))

/** Prevents the browser's own prompt, and stores it for later. */
export function watchInstall(): void {
  const standalone =
    matchMedia('(display-mode: standalone)').matches ||
    ('standalone' in navigator && navigator.standalone === true)
  useInstall.setState({ installed: standalone })
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event is Chromium’s own
    useInstall.setState({ offer: event as InstallOffer })
  })
  window.addEventListener('appinstalled', () => useInstall.setState({ offer: undefined, installed: true }))
}

/** iPhones and iPads install from the share menu only; an iPad identifies as a Mac with a touch screen. */
export const installsFromShareMenu = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
