import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'
import { OwnersFolder } from '#importer/fixtures/owners-folder.ts'
import { CannotDecode } from './decode.ts'
import { LevelMap, silencesIn } from './levels.ts'
import { listenThrough } from './listen-through.ts'

const folder = new OwnersFolder()
afterAll(() => folder.remove())

/** Silences of a sound made of stretches of a level, in hundredths of a second. */
function silencesOf(stretches: readonly (readonly [frames: number, amplitude: number])[], rate: number) {
  const map = new LevelMap(rate)
  for (const [frames, amplitude] of stretches)
    map.add(
      Float32Array.from(
        { length: Math.round((frames * rate) / 100) },
        (_, at) => (at % 2 ? 1 : -1) * amplitude,
      ),
    )
  return silencesIn(map.levels)
}

test('in step: a silence is 0.3 s or longer and below -45 dB', () => {
  for (const rate of [16_000, 22_050, 44_100])
    expect(
      silencesOf(
        [
          [100, 0.1],
          [30, 0],
          [50, 0.1],
          [28, 0],
          [50, 0.1],
          [40, 0.004],
          [50, 0.1],
          [40, 0.007],
          [50, 0.1],
          [60, 0],
        ],
        rate,
      ),
    ).toEqual([
      { start: 100, end: 130 },
      { start: 258, end: 298 },
      { start: 438, end: 498 },
    ])
})

test('in step: a chapter of the demo has the loudness it was made with, and a silence before each paragraph', async () => {
  const path = join(DEMO_CONTENT, 'titles/one-hour-island/sample.mp3')
  const { durationMs, loudness, truePeak, silences } = await listenThrough(path, 'mp3')
  expect(durationMs).toBeGreaterThan(15_000)
  expect(durationMs).toBeLessThan(15_600)
  expect(loudness).toBeGreaterThan(-20)
  expect(loudness).toBeLessThan(-18)
  expect(truePeak).toBeLessThan(0)
  expect(silences.length).toBeGreaterThan(2)
})

test('in step: a file that is not MP3 is reported', async () => {
  const path = join(folder.path, 'letter.mp3')
  await writeFile(path, 'Dear listener, this is a letter. '.repeat(200))
  await expect(listenThrough(path, 'mp3')).rejects.toThrow(CannotDecode)
})
