/** The app's one `<audio>`: made once, outside React and the router, never replaced (trap 6). */
export function soundElement(): HTMLAudioElement {
  const present = document.querySelector<HTMLAudioElement>('body > audio[data-player]')
  if (present) return present
  const audio = document.createElement('audio')
  audio.dataset.player = ''
  document.body.append(audio)
  return audio
}
