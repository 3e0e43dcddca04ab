import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react'
import type { DocumentKind, OfficeDocument } from '#contract/office/documents.ts'
import { officeCall } from '../net/office-call.ts'
import { queryClient } from '../net/query-client.ts'
import { isRefused, problemWords } from '../net/use-act.ts'
import { useDraft } from '../net/use-draft.ts'

export interface DocumentName {
  readonly kind: DocumentKind
  readonly key: string
}

export const documentQuery = ({ kind, key }: DocumentName) =>
  queryOptions({
    queryKey: ['document', kind, key],
    queryFn: () => officeCall('GET /api/office/documents/{kind}/{key}', { params: { kind, key } }),
  })

/** Queries that show something else after a document was published, retired or put back. */
export const changesOf = ({ kind, key }: DocumentName) => [
  ['document', kind, key],
  ['versions', kind, key],
  ['journal'],
  ['pages'],
]

export interface Editing<Content> {
  readonly name: DocumentName
  /** As the server last sent it. */
  readonly document: OfficeDocument
  readonly content: Content
  readonly change: (to: (content: Content) => Content) => void
  readonly status: 'saved' | 'typing' | 'saving' | 'failed'
  /** Why it couldn't be saved. */
  readonly problem: string
  /** What somebody else saved meanwhile. */
  readonly conflict: OfficeDocument | undefined
  readonly keepMine: () => void
  readonly takeTheirs: () => void
  /** Saves what is typed. Resolves to the version that is then stored, or to undefined if it couldn't. */
  readonly flush: () => Promise<number | undefined>
  /** Shows what the server sent after an act. */
  readonly adopt: (document: OfficeDocument) => void
}

/** Long enough that a word is typed. */
const SAVE_AFTER_MS = 700
const RETRY_MS = 5_000

/**
 * A document that is saved as it is typed: first on this device, then in the shop. A save names the version that it
 * began with; if somebody else saved meanwhile, nothing is overwritten before both versions were looked at.
 */
export function useDocument<Content extends Record<string, unknown>>(name: DocumentName) {
  const { kind, key } = name
  const query = useQuery(documentQuery(name))
  const local = useDraft<{ readonly content: Content; readonly version: number }>(`document ${kind} ${key}`)
  const [view, setView] = useState<View<Content>>()
  const session = useRef<Session<Content>>({ version: 0, isDirty: false, content: undefined })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const adopt = useCallback(
    (document: OfficeDocument) => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends the content of its kind
      const content = document.content as Content
      clearTimeout(timer.current)
      session.current = { version: document.version, isDirty: false, content }
      local.discard()
      queryClient.setQueryData(documentQuery({ kind, key }).queryKey, document)
      setView({ document, content, status: 'saved', problem: '', conflict: undefined })
    },
    [local, kind, key],
  )

  const save = useCallback(async (): Promise<number | undefined> => {
    clearTimeout(timer.current)
    const current = session.current
    await current.saving
    if (!current.isDirty || current.content === undefined) return current.version
    const content = current.content
    current.isDirty = false
    setView((before) => before && { ...before, status: 'saving', problem: '' })
    const saving = officeCall('PUT /api/office/documents/{kind}/{key}/draft', {
      params: { kind, key },
      body: { content, version: current.version },
    })
    current.saving = saving.catch(() => undefined)
    try {
      const { version, hasDraft, savedAt, missing } = await saving
      current.version = version
      if (!current.isDirty) local.discard()
      setView(
        (before) =>
          before && {
            ...before,
            document: { ...before.document, version, hasDraft, savedAt, missing },
            status: current.isDirty ? 'typing' : 'saved',
          },
      )
      return current.isDirty ? save() : version
    } catch (problem) {
      current.isDirty = true
      if (isRefused(problem, 409)) {
        const conflict = await queryClient.fetchQuery({ ...documentQuery({ kind, key }), staleTime: 0 })
        setView((before) => before && { ...before, status: 'failed', conflict })
        return undefined
      }
      setView((before) => before && { ...before, status: 'failed', problem: problemWords(problem) })
      timer.current = setTimeout(() => void save(), RETRY_MS)
      return undefined
    } finally {
      current.saving = undefined
    }
  }, [local, kind, key])

  const change = useCallback(
    (to: (content: Content) => Content) => {
      const current = session.current
      if (current.content === undefined) return
      const content = to(current.content)
      current.content = content
      current.isDirty = true
      local.keep({ content, version: current.version })
      setView((before) => before && { ...before, content, status: 'typing' })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(), SAVE_AFTER_MS)
    },
    [local, save],
  )

  const { data } = query
  useEffect(() => {
    if (!data || session.current.isDirty || session.current.saving) return
    if (session.current.content !== undefined && data.version <= session.current.version) return
    const { found } = local
    const isFirst = session.current.content === undefined
    adopt(data)
    // Typed here before a reload, and not saved yet.
    if (isFirst && found) {
      session.current = { version: found.version, isDirty: true, content: found.content }
      local.keep(found)
      setView((before) => before && { ...before, content: found.content, status: 'typing' })
      void save()
    }
  }, [data, local, adopt, save])
  useEffect(() => {
    const onOnline = () => void save()
    addEventListener('online', onOnline)
    return () => {
      removeEventListener('online', onOnline)
      void save()
    }
  }, [save])

  const editing: Editing<Content> | undefined = view && {
    name,
    ...view,
    change,
    flush: save,
    adopt,
    keepMine: () => {
      session.current.version = view.conflict?.version ?? session.current.version
      setView({ ...view, document: view.conflict ?? view.document, conflict: undefined })
      void save()
    },
    takeTheirs: () => view.conflict && adopt(view.conflict),
  }
  return { editing, error: query.error, refetch: query.refetch }
}

interface View<Content> {
  readonly document: OfficeDocument
  readonly content: Content
  readonly status: Editing<Content>['status']
  readonly problem: string
  readonly conflict: OfficeDocument | undefined
}

interface Session<Content> {
  version: number
  isDirty: boolean
  content: Content | undefined
  saving?: Promise<unknown> | undefined
}

const Context = createContext<Editing<never> | undefined>(undefined)
export const EditingContext = Context.Provider

/** The document of the page, for its drawers. */
export function useEditing<Content>(): Editing<Content> {
  const editing = useContext(Context)
  if (!editing) throw new Error('useEditing is for what a DocumentPage holds')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the drawers are routes below the page of that kind
  return editing as unknown as Editing<Content>
}
