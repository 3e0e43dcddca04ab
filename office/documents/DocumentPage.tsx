import { ArrowSquareOutIcon } from '@phosphor-icons/react/dist/csr/ArrowSquareOut'
import { CalendarBlankIcon } from '@phosphor-icons/react/dist/csr/CalendarBlank'
import { ClockCounterClockwiseIcon } from '@phosphor-icons/react/dist/csr/ClockCounterClockwise'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useBlocker, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { OfficeDocument } from '#contract/office/documents.ts'
import { NetProblem } from '#net/problem.ts'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { Refusal } from '#writes/Refusal.tsx'
import { useMay } from '../net/me.ts'
import { officeCall } from '../net/office-call.ts'
import { useAct } from '../net/use-act.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button, LinkButton, TextButton } from '../ui/Button.tsx'
import { Page } from '../ui/Page.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { exactly } from '../ui/when.ts'
import { type DocumentName, changesOf, type Editing, EditingContext, useDocument } from './use-document.ts'
import { DocumentStateMark } from './DocumentStateMark.tsx'
import './documents.css'

const Dialog = lazyPart(() => import('#ui/Dialog.tsx'), 'Dialog')
const TwoVersions = lazyPart(() => import('./TwoVersions.tsx'), 'TwoVersions')

interface DocumentPageProps<Content> {
  readonly name: DocumentName
  /** `The piece`, for messages. */
  readonly what: string
  readonly title: (content: Content) => string
  readonly crumb?: ReactNode
  /** Its own route, below which its drawers are. */
  readonly at: '/journal/$kind/$key' | '/pages/$kind/$key' | '/home-page' | '/titles/months/$key'
  /** How many changes a press would publish; without it, that there are some. */
  readonly countChanges?: (document: OfficeDocument, content: Content) => number
  readonly acts?: ReactNode
  readonly children: (editing: Editing<Content>) => ReactNode
}

/** The page of something that is edited as a whole: saved as it is typed, published at a press or at a time. */
export function DocumentPage<Content extends Record<string, unknown>>(props: DocumentPageProps<Content>) {
  const { name, what, crumb, title, children } = props
  const { editing, error, refetch } = useDocument<Content>(name)
  if (!editing)
    return (
      <Page title={what} crumb={crumb}>
        {error instanceof NetProblem && (error.status === 404 || error.status === 400) ? (
          <Empty title="There is nothing here." help="It may be in the bin, or its address is mistyped." />
        ) : error ? (
          <Failed what={what} problem={error} onRetry={() => void refetch()} />
        ) : (
          <Loading what="it" />
        )}
      </Page>
    )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- useEditing gives it back its content
  const shared = editing as unknown as Editing<never>
  return (
    <EditingContext value={shared}>
      <Page
        title={title(editing.content) || 'Without a title'}
        crumb={crumb}
        sub={
          <span className="document-status">
            <DocumentStateMark document={editing.document} />
            <SavedStatus editing={editing} />
          </span>
        }
        acts={<Acts {...props} editing={editing} />}
      >
        <Notes editing={editing} />
        {children(editing)}
        <Outlet />
        <LeavingUnsaved
          page={props.at.replace('$kind', name.kind).replace('$key', name.key)}
          isUnsaved={editing.status === 'failed'}
        />
        <Suspense>{editing.conflict && <TwoVersions editing={editing} />}</Suspense>
      </Page>
    </EditingContext>
  )
}

/** Whether what is typed is saved, and which colleagues have it open. */
export function SavedStatus<Content>({ editing }: { readonly editing: Editing<Content> }) {
  const { kind, key } = editing.name
  const others = usePresence(`${kind} ${key}`, editing.status !== 'saved')
  return (
    <>
      <span role="status">{savedWords(editing)}</span>
      {others.map((other) => (
        <span key={other.name} className="with-picture">
          <Avatar name={other.name} />
          {other.name} is {other.isTyping ? 'writing here' : 'reading this'}
        </span>
      ))}
    </>
  )
}

function savedWords<Content>({ name, status, problem, document }: Editing<Content>): string {
  const { hasDraft, savedAt } = document
  if (status === 'saving') return 'Saving'
  if (status === 'typing') return 'Not saved yet'
  if (status === 'failed') return problem ? 'Not saved; it is kept on this device' : 'Not saved'
  if (savedAt) return `${hasDraft ? 'Draft saved' : 'Saved'} ${exactly(savedAt)}`
  if (name.kind === 'month' && document.state === 'draft') return 'As the month before, until it is published'
  return name.kind === 'newsletter' ? 'Saved as you type' : 'As the folder brought it'
}

/** The office wins over the folder, visibly. */
function Notes<Content>({ editing }: { readonly editing: Editing<Content> }) {
  const { name, document, adopt, problem } = editing
  const { kind, key } = name
  const folder = useAct(
    () => officeCall('POST /api/office/documents/{kind}/{key}/folder', { params: { kind, key } }),
    {
      changes: changesOf(name),
      done: () => 'The folder’s is published, and the folder decides again.',
      onDone: ({ document: next }) => adopt(next),
    },
  )
  return (
    <>
      <Refusal message={folder.refusal || (editing.status === 'failed' ? problem : '')} />
      {document.isSetHere && document.folderDiffers && (
        <p className="note spread document-note">
          <span>
            <b>Changed here.</b> The folder says something else, and imports leave this alone.
          </span>
          <TextButton onClick={() => void folder.write()}>Use the folder’s</TextButton>
        </p>
      )}
    </>
  )
}

function Acts<Content extends Record<string, unknown>>({
  name,
  at,
  acts,
  editing,
  countChanges,
}: DocumentPageProps<Content> & { readonly editing: Editing<Content> }) {
  const { kind, key } = name
  const may = useMay()
  const navigate = useNavigate()
  const { document, content, flush, adopt } = editing
  const { state, missing, address } = document
  // Otherwise the state says that it is published.
  const hasChanges =
    document.hasDraft || editing.status !== 'saved' || state === 'hidden' || state === 'draft'
  const publish = useAct(
    (version: number) =>
      officeCall('POST /api/office/documents/{kind}/{key}/publish', {
        params: { kind, key },
        body: { version },
      }),
    {
      changes: changesOf(name),
      done: () => 'Published.',
      entry: ({ entry }) => entry,
      onDone: ({ document: next }) => adopt(next),
    },
  )
  const putBack = useAct(
    () => officeCall('POST /api/office/documents/{kind}/{key}/put-back', { params: { kind, key } }),
    { changes: changesOf(name), done: () => 'It is back.', onDone: ({ document: next }) => adopt(next) },
  )
  const [lacking, setLacking] = useState(false)
  const press = async () => {
    setLacking(missing.length > 0)
    if (missing.length > 0) return leadTo(missing[0]!.field)
    const version = await flush()
    if (version !== undefined) await publish.write(version)
  }
  const count = countChanges?.(document, content)
  const words =
    missing.length > 0
      ? `Publish: ${missing.length} missing`
      : count
        ? `Publish ${count === 1 ? 'one change' : `${count} changes`}`
        : 'Publish'
  return (
    <>
      {acts}
      <LinkButton icon={ClockCounterClockwiseIcon} to={`${at}/history`} params={{ kind, key }}>
        History
      </LinkButton>
      {state === 'live' && (
        <a className="button quiet" href={address} target="_blank" rel="noreferrer">
          <Icon of={ArrowSquareOutIcon} size={18} />
          In the shop
        </a>
      )}
      {may('pages.change') &&
        (state === 'binned' ? (
          <Button look="beak" sends busy={putBack.busy} onClick={() => void putBack.write()}>
            Put back
          </Button>
        ) : (
          <>
            {/* A month starts on its first day, so it needs no schedule. */}
            {at !== '/titles/months/$key' && (
              <Button
                icon={CalendarBlankIcon}
                onClick={() => void navigate({ to: `${at}/schedule`, params: { kind, key } })}
              >
                {document.publishAt ? 'Its time' : 'Schedule'}
              </Button>
            )}
            {hasChanges && (
              <Button look="beak" sends busy={publish.busy} onClick={() => void press()}>
                {words}
              </Button>
            )}
          </>
        ))}
      <button type="button" hidden data-save onClick={() => void flush()}>
        Save
      </button>
      {lacking && missing[0] && (
        <p className="refusal document-missing" role="alert">
          {missing[0].words}
        </p>
      )}
      <Refusal message={publish.refusal || putBack.refusal} />
    </>
  )
}

/** Moves the focus to the field that lacks something, or to what holds it. */
function leadTo(field: string): void {
  for (let path = field; path !== ''; path = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '') {
    const found = document.querySelector<HTMLElement>(`[data-field="${path}"]`)
    const target = found?.matches('input, textarea, select, button, a')
      ? found
      : found?.querySelector<HTMLElement>('input, textarea, select, button, a')
    if (!target) continue
    target.scrollIntoView({ block: 'center' })
    target.focus()
    return
  }
}

/** Asks before a page is left whose text the shop doesn't have yet. Its drawers are a part of the page. */
export function LeavingUnsaved({ page, isUnsaved }: { readonly page: string; readonly isUnsaved: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isUnsaved && next.pathname !== page && !next.pathname.startsWith(`${page}/`),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense>
      <Dialog
        open
        onOpenChange={(open) => !open && blocker.reset()}
        title="Leave before it is saved?"
        closeLabel="Stay"
        actions={
          <Button look="solid" onClick={blocker.proceed}>
            Leave
          </Button>
        }
      >
        <p>
          The shop doesn’t have your last words yet. They are kept on this device until you open this again.
        </p>
      </Dialog>
    </Suspense>
  )
}

const PRESENCE_EVERY_MS = 15_000

/** Reports that this document is open here, and returns who else has it open. */
function usePresence(thing: string, isTyping: boolean) {
  const typing = useRef(isTyping)
  useEffect(() => {
    typing.current = isTyping
  }, [isTyping])
  const { data } = useQuery({
    queryKey: ['presence', thing],
    queryFn: () => officeCall('POST /api/office/presence', { body: { thing, isTyping: typing.current } }),
    refetchInterval: PRESENCE_EVERY_MS,
    staleTime: 0,
    retry: false,
  })
  useEffect(
    () => () =>
      void officeCall('POST /api/office/presence', {
        body: { thing, isTyping: false, hasLeft: true },
      }).catch(() => undefined),
    [thing],
  )
  return data?.others ?? []
}
