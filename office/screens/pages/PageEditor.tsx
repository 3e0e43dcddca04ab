import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DocumentKind, FaqContent, MenusContent, PageContent } from '#contract/office/documents.ts'
import { DocumentPage } from '../../documents/DocumentPage.tsx'
import { MarkdownField } from '../../documents/MarkdownField.tsx'
import { PagePreview } from '../../documents/PagePreview.tsx'
import type { Editing } from '../../documents/use-document.ts'
import { Field } from '../../ui/Field.tsx'
import { Menus } from './Menus.tsx'
import { Questions } from './Questions.tsx'

/** Editor for a page, the questions or the menus. Pages and questions have a preview next to the fields. */
export function PageEditor() {
  const { kind, key } = useParams({ from: '/shell/pages/$kind/$key' })
  const frame = {
    key: `${kind} ${key}`,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers 400 for another word
    name: { kind: kind as DocumentKind, key },
    at: '/pages/$kind/$key' as const,
    crumb: <Link to="/pages">Pages</Link>,
  }
  const beside = <Content,>(editing: Editing<Content>, fields: ReactNode, title: string) => (
    <div className="beside">
      {fields}
      <PagePreview name={editing.name} version={editing.document.version} title={title} />
    </div>
  )
  if (kind === 'faq')
    return (
      <DocumentPage<FaqContent> {...frame} what="Questions and answers" title={() => 'Questions and answers'}>
        {(editing) => beside(editing, <Questions {...editing} />, 'The page of questions')}
      </DocumentPage>
    )
  if (kind === 'menus')
    return (
      <DocumentPage<MenusContent> {...frame} what="Menus" title={() => 'Menus'}>
        {(editing) => <Menus {...editing} />}
      </DocumentPage>
    )
  return (
    <DocumentPage<PageContent> {...frame} what="The page" title={({ title }) => title}>
      {(editing) => {
        const { content, change } = editing
        return beside(
          editing,
          <div className="form">
            <Field
              label="Title"
              data-field="title"
              value={content.title}
              onChange={({ target: { value } }) => change((page) => ({ ...page, title: value }))}
            />
            <MarkdownField
              label="Text"
              field="body"
              takesPictures
              value={content.body}
              onChange={(body) => change((page) => ({ ...page, body }))}
            />
          </div>,
          `The page “${content.title}”`,
        )
      }}
    </DocumentPage>
  )
}
