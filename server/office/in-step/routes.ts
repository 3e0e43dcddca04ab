import * as contract from '#contract/office/in-step.ts'
import { act } from '../../features/activity/service.ts'
import { changeLoudness, planLoudness } from '../../features/in-step/even-loudness.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { ANALYSIS_JOB, askForRun, selectJob } from '../../jobs/queries.ts'
import { counted } from '../../print/table.ts'
import { insertAnalysisRequest, selectAnalysedChapters, selectAudiobook } from './queries.ts'

export function registerOfficeInStep(server: ApiServer): void {
  const { shop } = server
  const { db } = shop

  serve(server, contract.getTitleAnalysis, async ({ params: { slug } }) => {
    const { id, hasText, isAsked } = await audiobook(slug)
    const [rows, planned, job] = await Promise.all([
      selectAnalysedChapters(db, id),
      planLoudness(shop, id),
      selectJob(db, ANALYSIS_JOB),
    ])
    return {
      hasText,
      isAsked,
      progress: job?.progress ?? null,
      isEvened: planned.some(({ steps }) => steps !== 0),
      chapters: rows.map(({ source, report, ...row }, index) => {
        const plan = planned[index]
        return {
          ...row,
          sentences:
            source && report
              ? {
                  source,
                  all: report.sentences,
                  placed: report.placed,
                  skipped: [...report.skipped],
                  unclearWords: [...report.unknownWords],
                  extraSeconds: report.extraSeconds,
                  note: report.problem,
                }
              : null,
          evened: plan && plan.steps !== plan.wantedSteps ? plan.after : null,
        }
      }),
    }
  })

  serve(server, contract.analyseTitle, async ({ params: { slug }, staff }) => {
    const { id } = await audiobook(slug)
    await act(shop, staff, {
      kind: 'titles analyse',
      about: `title ${slug}`,
      what: 'Asked for the analysis of its sound',
      carryOut: async () => {
        await insertAnalysisRequest(db, id, shop.now())
        await askForRun(db, ANALYSIS_JOB, shop.now())
      },
    })
    return { what: 'The analysis comes next' }
  })

  serve(server, contract.evenLoudness, async ({ params: { slug }, body: { undo }, staff }) => {
    const { id } = await audiobook(slug)
    const planned = await planLoudness(shop, id, { undo })
    const count = planned.filter(({ steps, wantedSteps }) => steps !== wantedSteps).length
    if (count === 0)
      throw refused(undo ? 'Every chapter is its original.' : 'Every chapter is as even as it can be.')
    const { result } = await act(shop, staff, {
      kind: 'titles loudness',
      about: `title ${slug}`,
      what: `${undo ? 'Undid the loudness' : 'Evened the loudness'} of ${counted(count, 'chapter')}`,
      carryOut: () => changeLoudness(shop, id, planned),
    })
    const chapters = counted(result.length, 'chapter')
    return { what: undo ? `${chapters} back to the original` : `${chapters} evened` }
  })

  async function audiobook(slug: string) {
    const found = await selectAudiobook(db, slug)
    if (!found) throw notFound()
    return found
  }
}
