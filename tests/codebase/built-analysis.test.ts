import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { AnalysisMessage, AnalysisResult, AnalysisTask } from '#analysis/analysis-thread.ts'
import { DEMO_CONTENT } from '#demo/demo-folders.ts'

test('in step: the thread of the built server decodes a sample and places its sentences', async () => {
  expect(await analysed('en')).toMatchObject({
    problem: null,
    alignment: { placed: SENTENCES.map((_, id) => ({ id, isCertain: true })) },
  })
})

test('in step: sentences in a language without an acoustic model are estimated, and the report says so', async () => {
  expect(await analysed('de')).toMatchObject({
    problem: 'sentences in this language (de) are estimated',
    alignment: { placed: SENTENCES.map((_, id) => ({ id, isCertain: false })) },
  })
})

async function analysed(language: string): Promise<AnalysisResult | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'murmur-analysis-'))
  const workerData: AnalysisTask = {
    sound: join(DEMO_CONTENT, 'titles/the-orchard-at-low-tide/sample.mp3'),
    extension: 'mp3',
    priority: 0,
    scratch: join(folder, 'speech'),
    text: { language, sentences: SENTENCES, isExcerpt: false, captions: null },
  }
  const thread = new Worker(resolve('dist/server/analysis-thread.js'), { workerData })
  let result: AnalysisResult | undefined
  await new Promise((ended, failed) => {
    thread.on('message', (message: AnalysisMessage) => {
      if ('result' in message) result = message.result
    })
    thread.on('error', failed).on('exit', ended)
  })
  await rm(folder, { recursive: true })
  return result
}

const SENTENCES = [
  'Twice a year the sea went out far enough to show us the orchard.',
  'Forty apple trees, in rows, black as iron, with weed where the leaves should be.',
  'My great-grandfather had planted them on what was then a hill.',
  'The whole village walked out to see it.',
]
