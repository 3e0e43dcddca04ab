import * as contract from '#contract/in-step.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { chapterVtt, inStepFile, sampleVtt } from './service.ts'

export function registerInStep(server: ApiServer): void {
  const { db } = server.shop
  serve(server, contract.getInStep, ({ caller, params }) => inStepFile(db, caller.userId, params.slug))
  serve(server, contract.getInStepChapter, ({ caller, params }) =>
    chapterVtt(db, caller.userId, params.slug, params.chapter),
  )
  serve(server, contract.getInStepSample, ({ params }) => sampleVtt(db, params.slug))
}
