import { describe, expect, it } from 'vitest'
import { DEFAULT_SPEED, QUICK_SPEEDS, SPEEDS } from '#contract/player-limits.ts'
import { aPlayable, fakePorts } from '#tests/support/playable-title.ts'
import { FakeAudio } from '#tests/support/fake-audio.ts'
import { createEngine } from './engine.ts'
import { followSpeeds, readSpeed, speedLabel, stepSpeed } from './speed.ts'

describe('speed', () => {
  it('CONST-09: steps from 0.5 to 2.0 in tenths, plus 1.25 and 1.75; the default is 1', () => {
    const walked = [0.5]
    while (stepSpeed(walked.at(-1) ?? 2, 1) !== walked.at(-1)) walked.push(stepSpeed(walked.at(-1) ?? 2, 1))
    expect(walked).toEqual([
      0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.7, 1.75, 1.8, 1.9, 2,
    ])
    expect(walked).toEqual(SPEEDS)
    expect(stepSpeed(0.5, -1)).toBe(0.5)
    expect(QUICK_SPEEDS).toEqual([0.5, 1, 1.25, 1.5, 1.75, 2])
    expect(DEFAULT_SPEED).toBe(1)
  })

  it('has no trailing zeros', () => {
    expect([speedLabel(1), speedLabel(1.2), speedLabel(2)]).toEqual(['1×', '1.2×', '2×'])
    expect(speedLabel(1.25)).toBe('1.25×')
  })

  it('is stored for the current book, not for the next one', async () => {
    const ports = fakePorts()
    const engine = createEngine(new FakeAudio().asElement(), ports)
    followSpeeds(engine, ports.speeds)
    engine.load(aPlayable(), undefined)
    engine.setSpeed(1.5)
    engine.load(aPlayable({ slug: 'tidewrack' }), undefined)
    expect([...ports.keptSpeeds]).toEqual([['the-salt-ledger', 1.5]])
    expect(await readSpeed(ports.speeds, 'the-salt-ledger')).toBe(1.5)
    expect(await readSpeed(ports.speeds, 'tidewrack')).toBe(1)
  })

  it('is stored for books only: a sample or a recording starts at the default', () => {
    const ports = fakePorts()
    const engine = createEngine(new FakeAudio().asElement(), ports)
    followSpeeds(engine, ports.speeds)
    engine.load(aPlayable({ kind: 'sample' }), undefined)
    engine.setSpeed(1.5)
    expect(ports.keptSpeeds.size).toBe(0)
  })

  it('from another device is applied without storing it again, except during playback', async () => {
    const ports = fakePorts()
    const audio = new FakeAudio()
    const engine = createEngine(audio.asElement(), ports)
    followSpeeds(engine, ports.speeds)
    engine.load(aPlayable(), undefined)
    ports.chooseElsewhere('the-salt-ledger', 1.5)
    expect([engine.state().speed, ports.keptSpeeds.size]).toEqual([1.5, 0])
    ports.chooseElsewhere('tidewrack', 2)
    expect(engine.state().speed).toBe(1.5)
    engine.setSpeed(1.2)
    expect([...ports.keptSpeeds]).toEqual([['the-salt-ledger', 1.2]])
    engine.play()
    await audio.arrives(60)
    ports.chooseElsewhere('the-salt-ledger', 2)
    expect(engine.state().speed).toBe(1.2)
  })

  it('is stored when a book starts to play', async () => {
    const ports = fakePorts()
    const audio = new FakeAudio()
    const engine = createEngine(audio.asElement(), ports)
    followSpeeds(engine, ports.speeds)
    engine.load(aPlayable(), undefined, 1.5)
    expect(ports.begun).toEqual([])
    engine.play()
    await audio.arrives(60)
    expect(ports.begun).toEqual([['the-salt-ledger', 1.5]])
  })

  it('is not stored for other changes', () => {
    const ports = fakePorts()
    const engine = createEngine(new FakeAudio().asElement(), ports)
    followSpeeds(engine, ports.speeds)
    engine.load(aPlayable(), undefined, 1.2)
    engine.setVolume(0.5)
    engine.play()
    expect(ports.keptSpeeds.size).toBe(0)
  })

  it('steps on from a value between two steps', () => {
    expect([stepSpeed(1.04, 1), stepSpeed(1.06, 1), stepSpeed(3, -1), stepSpeed(3, 0)]).toEqual([
      1.1, 1.2, 1.9, 2,
    ])
  })

  it('falls back to the default for an invalid stored value', async () => {
    expect(await readSpeed({ read: () => Promise.resolve(7) }, 'x')).toBe(1)
    expect(await readSpeed({ read: () => Promise.reject(new Error()) }, 'x')).toBe(1)
  })
})
