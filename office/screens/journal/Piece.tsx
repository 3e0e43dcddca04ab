import { SlidersHorizontalIcon } from '@phosphor-icons/react/dist/csr/SlidersHorizontal'
import { Link, useParams } from '@tanstack/react-router'
import type { PieceContent, PieceKind } from '#contract/office/documents.ts'
import { DocumentPage } from '../../documents/DocumentPage.tsx'
import { MarkdownField } from '../../documents/MarkdownField.tsx'
import { PagePreview } from '../../documents/PagePreview.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { KIND_WORDS } from './kind-words.ts'

export function Piece() {
  const { kind, key } = useParams({ from: '/shell/journal/$kind/$key' })
  return (
    <DocumentPage<PieceContent>
      key={`${kind} ${key}`}
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server answers 400 for another word
      name={{ kind: kind as PieceKind, key }}
      what="The piece"
      title={({ title }) => title}
      at="/journal/$kind/$key"
      crumb={
        <>
          <Link to="/journal">Journal</Link>{' '}
          <Link to="/journal" search={{ kind }}>
            {KIND_WORDS[kind]?.many ?? kind}
          </Link>
        </>
      }
      acts={
        <LinkButton icon={SlidersHorizontalIcon} to="/journal/$kind/$key/details" params={{ kind, key }}>
          Details and picture
        </LinkButton>
      }
    >
      {({ name, document, content, change }) => (
        <div className="beside">
          <div className="form">
            <Field
              label="Title"
              data-field="title"
              value={content.title}
              onChange={({ target: { value } }) => change((piece) => ({ ...piece, title: value }))}
            />
            <Field
              label={
                <>
                  Line below it <small>also in lists</small>
                </>
              }
              data-field="shortDescription"
              value={content.shortDescription}
              onChange={({ target: { value } }) => change((piece) => ({ ...piece, shortDescription: value }))}
            />
            <MarkdownField
              label="Text"
              field="body"
              takesPictures
              value={content.body}
              onChange={(body) => change((piece) => ({ ...piece, body }))}
            />
          </div>
          <PagePreview name={name} version={document.version} title={`The page of “${content.title}”`} />
        </div>
      )}
    </DocumentPage>
  )
}
