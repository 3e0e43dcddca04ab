import type { FoundChapter } from '../found.ts'

const FRAMES_A_SECOND = 75

export function chaptersOfCue(cue: string): ReadonlyMap<string, readonly FoundChapter[]> {
  const files = new Map<string, { title: string | undefined; startSeconds: number }[]>()
  let tracks: { title: string | undefined; startSeconds: number }[] = []
  let title: string | undefined
  let isTrack = false
  for (const line of cue.split(/\r?\n/)) {
    const [, command = '', rest = ''] = /^\s*(\w+)\s+(.*?)\s*$/.exec(line) ?? []
    const quoted = /^"(.*)"/.exec(rest)?.[1] ?? rest
    switch (command.toUpperCase()) {
      case 'FILE': {
        const name = /^"(.*)"/.exec(rest)?.[1] ?? rest.replace(/\s+\S+$/, '')
        tracks = []
        files.set(name.replace(/^.*[\\/]/, ''), tracks)
        break
      }
      case 'TRACK':
        isTrack = true
        title = undefined
        break
      case 'TITLE':
        if (isTrack) title = quoted.trim() || undefined
        break
      case 'INDEX': {
        const [, number, minutes, seconds, frames] = /^(\d+)\s+(\d+):(\d+):(\d+)/.exec(rest) ?? []
        if (isTrack && Number(number) === 1)
          tracks.push({
            title,
            startSeconds: Number(minutes) * 60 + Number(seconds) + Number(frames) / FRAMES_A_SECOND,
          })
        break
      }
    }
  }
  return files
}
