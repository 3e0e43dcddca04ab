/** The app's one `<audio>`: made once, outside React and the router, never replaced (trap 6). */
export function soundElement(): HTMLAudioElement {
  const present = document.querySelector<HTMLAudioElement>('body > audio[data-player]')
  if (present) return present
  const audio = document.createElement('audio')
  audio.dataset.player = ''
  document.body.append(audio)
  return audio
}

/**
 * Lets the element play later than the press that asked for it: an iPhone plays only what was loaded or played inside a
 * press (trap 37). Must be called in the press itself; does nothing while something plays.
 */
export function unlockSound(audio: HTMLAudioElement = soundElement()): void {
  if (!audio.paused) return
  if (!audio.src) return audio.load()
  // Loading again would lose what is fetched already.
  audio.play().catch(() => undefined)
  audio.pause()
}
