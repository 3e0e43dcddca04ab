import { ClockCounterClockwiseIcon } from '@phosphor-icons/react/dist/csr/ClockCounterClockwise'
import { PaperPlaneTiltIcon } from '@phosphor-icons/react/dist/csr/PaperPlaneTilt'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import type { NewsletterContent } from '#contract/office/documents.ts'
import type { NewsletterPart, SentNewsletter } from '#contract/office/newsletter.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Refusal } from '#writes/Refusal.tsx'
import { LeavingUnsaved, SavedStatus } from '../../documents/DocumentPage.tsx'
import { MarkdownField } from '../../documents/MarkdownField.tsx'
import { type Editing, EditingContext, useDocument } from '../../documents/use-document.ts'
import { useMay } from '../../net/me.ts'
import { officeCall, officeFile } from '../../net/office-call.ts'
import { problemWords, useAct, useBusy } from '../../net/use-act.ts'
import { Button, LinkButton, TextButton } from '../../ui/Button.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { BoneRows, Failed, Loading } from '../../ui/states.tsx'
import { exactly } from '../../ui/when.ts'
import './newsletter.css'

const Dialog = lazyPart(() => import('#ui/Dialog.tsx'), 'Dialog')
const TwoVersions = lazyPart(() => import('../../documents/TwoVersions.tsx'), 'TwoVersions')

/** Long enough that a sentence is typed. */
const LOOK_AFTER_MS = 500

const NAME = { kind: 'newsletter', key: 'newsletter' } as const

export function Newsletter() {
  const { editing, error, refetch } = useDocument<NewsletterContent>(NAME)
  if (editing)
    return (
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- useEditing gives it back its content
      <EditingContext value={editing as unknown as Editing<never>}>
        <Writing editing={editing} />
      </EditingContext>
    )
  return (
    <Page title="Newsletter">
      {error ? (
        <Failed what="The newsletter" problem={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the newsletter" />
      )}
    </Page>
  )
}

function Writing({ editing }: { readonly editing: Editing<NewsletterContent> }) {
  const may = useMay()
  const {
    adopt,
    change,
    content: { markdown },
  } = editing
  const looked = useDelayed(markdown, LOOK_AFTER_MS)
  const [isAsking, setAsking] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['newsletter'],
    queryFn: () => officeCall('GET /api/office/newsletter'),
  })
  const preview = useQuery({
    queryKey: ['newsletter', 'preview', looked],
    queryFn: () => officeCall('POST /api/office/newsletter/preview', { body: { markdown: looked } }),
    enabled: looked.trim() !== '',
    retry: false,
    placeholderData: (before) => before,
  })
  const isReady =
    preview.data !== undefined && !preview.error && !preview.isPlaceholderData && looked === markdown
  const test = useAct(() => officeCall('POST /api/office/newsletter/test', { body: { markdown } }), {
    done: ({ to }) => `A test is on its way to ${to}.`,
  })
  const send = useAct(
    (issue: string) => officeCall('POST /api/office/newsletter/send', { body: { markdown, issue } }),
    {
      changes: [['newsletter']],
      done: ({ queued }) => (queued === 0 ? 'Everybody has it already.' : `On its way to ${people(queued)}.`),
      entry: ({ entry }) => entry,
      onDone: () => setAsking(false),
    },
  )
  const clear = useAct(
    () => officeCall('DELETE /api/office/documents/{kind}/{key}/draft', { params: NAME }),
    {
      changes: [['versions', NAME.kind, NAME.key]],
      done: () => 'The last text is in the history.',
      onDone: adopt,
    },
  )
  const file = useBusy()
  const why =
    markdown.trim() === '' ? 'Write it first.' : preview.error ? problemWords(preview.error) : undefined
  return (
    <Page
      title="Newsletter"
      sub={
        <span className="document-status">
          {data && <span>{people(data.subscribers)} on the list. Each email has a link to leave it.</span>}
          <SavedStatus editing={editing} />
        </span>
      }
      acts={
        <>
          <LinkButton icon={ClockCounterClockwiseIcon} to="/newsletter/history">
            History
          </LinkButton>
          {may('newsletter.send') && (
            <Button
              sends
              busy={file.busy}
              onClick={() =>
                void file.run(async () =>
                  saveFile(await officeFile('GET /api/office/newsletter/export'), 'newsletter.csv'),
                )
              }
            >
              Download the list
            </Button>
          )}
          <Button sends busy={test.busy} why={why && 'Write it first.'} onClick={() => void test.write()}>
            Send a test to myself
          </Button>
          {may('newsletter.send') && (
            <Button
              look="beak"
              icon={PaperPlaneTiltIcon}
              sends
              why={why && 'Write it first.'}
              onClick={() => isReady && setAsking(true)}
            >
              Send
            </Button>
          )}
        </>
      }
    >
      <Refusal message={test.refusal || send.refusal || clear.refusal} />
      {!may('newsletter.send') && (
        <p className="note newsletter-note">An owner sends it, and sees what you write here.</p>
      )}
      <div className="beside">
        <div>
          <MarkdownField
            label="Newsletter"
            field="markdown"
            placeholder="# What is new in December"
            value={markdown}
            onChange={(value) => change(() => ({ markdown: value }))}
          />
          <p className="hint">
            It begins with its subject: # What is new in December. A paragraph that is one link becomes a
            button.
          </p>
          {markdown.trim() !== '' && (
            <Button compact sends busy={clear.busy} onClick={() => void clear.write()}>
              Begin another one
            </Button>
          )}
        </div>
        <section aria-label="As it will be read">
          {preview.error && markdown.trim() !== '' ? (
            <p className="refusal" role="status">
              {problemWords(preview.error)}
            </p>
          ) : preview.data ? (
            <Letter subject={preview.data.subject} parts={preview.data.parts} />
          ) : (
            <p className="newsletter-letter muted">
              What you write is shown here as its readers will see it.
            </p>
          )}
        </section>
      </div>
      <Sent issues={data?.issues} problem={error} onRetry={() => void refetch()} />
      <Outlet />
      <LeavingUnsaved page="/newsletter" isUnsaved={editing.status === 'failed'} />
      <Suspense>{editing.conflict && <TwoVersions editing={editing} />}</Suspense>
      <Suspense>
        {isAsking && preview.data && data && (
          <Dialog
            open
            onOpenChange={setAsking}
            title={`Send “${preview.data.subject}”?`}
            closeLabel="Not yet"
            actions={
              <Button
                look="beak"
                sends
                busy={send.busy}
                onClick={() => preview.data && void send.write(preview.data.issue)}
              >
                Send it to {people(data.subscribers)}
              </Button>
            }
          >
            {preview.data.sentAt ? (
              <p>This text went out {exactly(preview.data.sentAt)}: only who doesn’t have it gets it now.</p>
            ) : (
              <p>You’ll be asked for your passkey. What has gone out can’t be called back.</p>
            )}
          </Dialog>
        )}
      </Suspense>
    </Page>
  )
}

const people = (count: number): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? 'person' : 'people'}`

function useDelayed<Value>(value: Value, ms: number): Value {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return delayed
}

const Letter = ({
  subject,
  parts,
}: {
  readonly subject: string
  readonly parts: readonly NewsletterPart[]
}) => (
  <article className="newsletter-letter">
    <h2>{subject}</h2>
    {parts.map(({ kind, words, to }, index) => {
      // oxlint-disable react/no-array-index-key -- parts of a text have no other name than their place
      if (kind === 'title') return <h3 key={index}>{words}</h3>
      if (kind === 'quote') return <blockquote key={index}>{words}</blockquote>
      if (kind === 'button')
        return (
          <p key={index}>
            <span className="button solid" title={to ?? undefined}>
              {words}
            </span>
          </p>
        )
      return <p key={index}>{words}</p>
      // oxlint-enable react/no-array-index-key
    })}
  </article>
)

function Sent({
  issues,
  problem,
  onRetry,
}: {
  readonly issues: readonly SentNewsletter[] | undefined
  readonly problem: unknown
  readonly onRetry: () => void
}) {
  const may = useMay()
  const stop = useAct(
    (issue: string) => officeCall('POST /api/office/newsletter/{issue}/stop', { params: { issue } }),
    {
      changes: [['newsletter']],
      done: ({ stopped }) => `${stopped} ${stopped === 1 ? 'email is' : 'emails are'} not sent.`,
    },
  )
  return (
    <Section title="Sent">
      <Refusal message={stop.refusal} />
      {problem && !issues ? (
        <Failed what="The list" problem={problem} onRetry={onRetry} />
      ) : issues?.length === 0 ? (
        <p className="muted">No newsletter was sent yet.</p>
      ) : (
        <table className="table keep" aria-busy={!issues}>
          <thead>
            <tr>
              <th>Subject</th>
              <th className="wide-only">Sent</th>
              <th className="num">Gone out</th>
              <th className="num">Waiting</th>
              <th className="num wide-only">Failed</th>
              <th>
                <span className="visually-hidden">Stop</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {!issues && <BoneRows widths={[220, 120, 40, 40, 40, 40]} rows={3} />}
            {issues?.map(({ issue, subject, sentAt, sent, waiting, failed }) => (
              <tr key={issue}>
                <td className="strong">{subject ?? issue}</td>
                <td className="wide-only muted">{exactly(sentAt)}</td>
                <td className="num">{sent}</td>
                <td className="num">{waiting}</td>
                <td className="num wide-only">{failed}</td>
                <td className="num">
                  {waiting > 0 && may('newsletter.send') && (
                    <TextButton
                      aria-label={`Stop “${subject ?? issue}”`}
                      onClick={() => void stop.write(issue)}
                    >
                      Stop
                    </TextButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
