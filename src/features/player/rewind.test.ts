// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, test } from 'vitest'
import { playingEngine } from '#tests/support/player-engine.ts'
import { resumeFrom, resumeSeconds, rewindAfter } from './resume.ts'
import { withRewind } from './listener-actions.ts'
import { changePlayerSettings } from './settings.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

beforeEach(() => changePlayerSettings({ rewinds: true }))

test('listening: the longer a pause, the longer the rewind; none if turned off', () => {
  expect([0, MINUTE - 1, MINUTE, HOUR - 1, HOUR, DAY - 1, DAY, 90 * DAY].map(rewindAfter)).toEqual([
    0, 0, 5, 5, 15, 15, 30, 30,
  ])
  const chapters = [{ number: 1, title: 'One', seconds: 300, bytes: 1 }]
  const saved = { chapter: 1, seconds: 100 }
  // Added to PLAY-06, and likewise never before the session began.
  expect(resumeFrom(chapters, saved, rewindAfter(DAY))?.seconds).toBe(65)
  expect(resumeFrom(chapters, { ...saved, fromSeconds: 90 }, rewindAfter(DAY))?.seconds).toBe(90)
  // “Play from” names the same second.
  expect(resumeSeconds({ ...saved, heardAtMs: DAY }, 2 * DAY)).toBe(65)
  expect(resumeSeconds({ ...saved, fromSeconds: 90, heardAtMs: DAY }, 2 * DAY)).toBe(90)
  expect(resumeSeconds({ ...saved, heardAtMs: DAY }, DAY + MINUTE)).toBe(90)
  changePlayerSettings({ rewinds: false })
  expect(rewindAfter(DAY)).toBe(0)
  expect(resumeSeconds({ ...saved, heardAtMs: DAY }, 2 * DAY)).toBe(95)
})

describe('an open player', () => {
  async function paused(at: number) {
    const { engine, audio, ports } = await playingEngine({ chapter: 1, seconds: 10 })
    // Only differences of the clock matter.
    let now = 30 * DAY
    const controls = withRewind(engine, engine, () => now)
    await audio.hears(at - 10)
    const rest = (ms: number) => {
      controls.pause()
      now += ms
      controls.toggle()
      return engine.place().seconds
    }
    return { engine, audio, ports, controls, rest }
  }

  it('listening: rewinds by the length of the pause, never before the start of the session', async () => {
    const { audio, rest } = await paused(32)
    expect(rest(MINUTE - 1)).toBe(32)
    expect(rest(MINUTE)).toBe(27)
    await audio.arrives(60)
    expect(rest(DAY)).toBe(10)
    await audio.arrives(60)
    expect(rest(DAY)).toBe(10)
  })

  it('listening: continues exactly at the place from another device, however long the pause', async () => {
    const { engine, ports, rest } = await paused(32)
    ports.loseSound()
    expect(engine.state().wentElsewhere).toBe(true)
    expect(rest(DAY)).toBe(32)
  })

  it('continues exactly where the listener moved to, also after choosing a chapter', async () => {
    const { engine, controls } = await paused(32)
    controls.pause()
    controls.goTo({ chapter: 1, seconds: 40 })
    controls.play()
    expect(engine.place()).toEqual({ chapter: 1, seconds: 40 })
  })
})
