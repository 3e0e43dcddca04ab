/** The app's only `<audio>`: created once, outside React and the router, never replaced (trap 6). */
export function soundElement(): HTMLAudioElement {
  const present = document.querySelector<HTMLAudioElement>('body > audio[data-player]')
  if (present) return present
  const audio = document.createElement('audio')
  audio.dataset.player = ''
  document.body.append(audio)
  return audio
}

/**
 * Lets the element play after the press has ended: an iPhone plays only elements that were loaded or played
 * inside a press (trap 37). Must be called inside the press; does nothing while the element plays.
 */
export function unlockSound(audio: HTMLAudioElement = soundElement()): void {
  if (!audio.paused) return
  if (!audio.src) return audio.load()
  // Don't call load(): it would discard the buffered data.
  audio.play().catch(() => undefined)
  audio.pause()
}
