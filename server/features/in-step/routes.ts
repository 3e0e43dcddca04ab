import * as contract from '#contract/in-step.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { chapterVtt, inStepFile, sampleVtt, versionOf } from './service.ts'

export function registerInStep(server: ApiServer): void {
  const { db } = server.shop
  serve(server, contract.getInStep, async ({ caller, params, reply }) => {
    const file = await inStepFile(db, caller.userId, params.slug)
    reply.header('etag', `"${versionOf(file)}"`)
    return file
  })
  serve(server, contract.getInStepChapter, ({ caller, params }) =>
    chapterVtt(db, caller.userId, params.slug, params.chapter),
  )
  serve(server, contract.getInStepSample, ({ params }) => sampleVtt(db, params.slug))
}
