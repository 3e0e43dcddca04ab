import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { OwnersFolder, VBR, VBR_MS } from '../fixtures/owners-folder.ts'
import { chaptersOfCue } from './sidecar-files.ts'
import { splitM4b, splitSound } from './m4b.ts'
import { readMp3 } from './sound.ts'

const owner = new OwnersFolder()
afterAll(() => owner.remove())
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

const CHAPTERS = `;FFMETADATA1
title=The Long Field
artist=Wren Castellan
[CHAPTER]
TIMEBASE=1/1000
START=0
END=2000
title=Furrow
[CHAPTER]
TIMEBASE=1/1000
START=2000
END=5500
title=Headland
`

function anM4b(): string {
  owner.put('chapters.txt', CHAPTERS)
  const path = owner.folder('book.m4b')
  execFileSync('ffmpeg', [
    ...[
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=300:duration=5.5',
      '-i',
      owner.folder('chapters.txt'),
    ],
    ...['-map_metadata', '1', '-ac', '1', '-ar', '22050', '-c:a', 'aac', '-b:a', '32k', '-f', 'ipod', path],
  ])
  return path
}

describe('an M4B', () => {
  test.skipIf(!hasFfmpeg)('is split at its chapters, with the same bytes every time', async () => {
    const path = anM4b()
    const into = (name: string) => (mkdirSync(owner.folder(name)), owner.folder(name))
    const sounds = await splitM4b(path, 'book.m4b', into('one'))
    expect(sounds.map(({ name, tags }) => [name, tags.title, tags.album ?? tags.artists[0]])).toEqual([
      ['book.m4b#0001', 'Furrow', 'Wren Castellan'],
      ['book.m4b#0002', 'Headland', 'Wren Castellan'],
    ])
    // A packet of AAC is 46 ms at this rate; nothing is re-encoded.
    expect(Math.abs(sounds[0]!.durationMs - 2000)).toBeLessThan(100)
    expect(Math.abs(sounds[1]!.durationMs - 3500)).toBeLessThan(100)
    const again = await splitM4b(path, 'book.m4b', into('two'))
    expect(again.map(({ sha256 }) => sha256)).toEqual(sounds.map(({ sha256 }) => sha256))
  })

  test('is refused with that reason if ffmpeg is not installed', async () => {
    owner.put('some.m4b', 'anything')
    const missing = { ffmpeg: 'no-such-ffmpeg', ffprobe: 'no-such-ffprobe' }
    await expect(splitM4b(owner.folder('some.m4b'), 'some.m4b', owner.path, missing)).rejects.toThrow(
      'cannot be split at its chapters: ffmpeg is not installed on this machine',
    )
  })
})

test.skipIf(!hasFfmpeg)(
  'listening: ffmpeg cuts an MP3 at the tracks of its cue sheet without loss',
  async () => {
    owner.put('whole.mp3', VBR)
    const whole = await readMp3(owner.folder('whole.mp3'), 'whole.mp3')
    const cue =
      'FILE "whole.mp3" MP3\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nTITLE "Salt"\nINDEX 01 00:02:37\n'
    const into = (name: string) => (mkdirSync(owner.folder(name)), owner.folder(name))
    const told = chaptersOfCue(cue).get('whole.mp3')!
    const [mud, salt] = await splitSound(whole, into('first'), told)
    // A frame is 26 ms at this rate.
    expect(Math.abs(mud!.durationMs - 2493)).toBeLessThan(60)
    expect(Math.abs(mud!.durationMs + salt!.durationMs - VBR_MS)).toBeLessThan(60)
    expect(salt!.tags.title).toBe('Salt')
    const again = await splitSound(whole, into('second'), told)
    expect(again.map(({ sha256 }) => sha256)).toEqual([mud!.sha256, salt!.sha256])
  },
)
