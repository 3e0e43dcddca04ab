import { createHash } from 'node:crypto'
import JSZip from 'jszip'
import { chapters, fullName, type Chapter, type Title } from './folders.ts'

export async function bindEpub(title: Title): Promise<Uint8Array> {
  const parts = chapters(title).map((chapter, index) => ({
    ...chapter,
    id: `chapter-${String(index + 1).padStart(2, '0')}`,
  }))
  const zip = new JSZip()
  const add = (path: string, text: string, compression: 'STORE' | 'DEFLATE' = 'DEFLATE') =>
    zip.file(path, text, { date: boundAt, createFolders: false, compression })

  // The format requires this entry first and uncompressed, so that the file type can be detected at byte 30.
  add('mimetype', 'application/epub+zip', 'STORE')
  add('META-INF/container.xml', container)
  add('EPUB/package.opf', packageOf(title, parts))
  add('EPUB/nav.xhtml', nav(parts))
  add('EPUB/title.xhtml', titlePage(title))
  for (const part of parts) add(`EPUB/${part.id}.xhtml`, page(part.title, chapterBody(part)))
  add('EPUB/style.css', css(title))
  return zip.generateAsync({ type: 'uint8array', platform: 'UNIX', compressionOptions: { level: 9 } })
}

interface Part extends Chapter {
  readonly id: string
}

const boundAt = new Date('2025-01-01T00:00:00Z')

const container = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
`

function packageOf(title: Title, parts: readonly Part[]) {
  const creators = title.authors
    .map(
      (author, index) =>
        `    <dc:creator id="author-${index + 1}">${escape(fullName(author))}</dc:creator>
    <meta refines="#author-${index + 1}" property="role" scheme="marc:relators">aut</meta>
    <meta refines="#author-${index + 1}" property="file-as">${escape(`${author.lastName}, ${author.firstName}`)}</meta>`,
    )
    .join('\n')
  const items = parts.map(
    ({ id }) => `    <item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" xml:lang="en-GB" unique-identifier="id">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">urn:uuid:${identifier(title.slug)}</dc:identifier>
    <dc:title>${escape(title.title)}</dc:title>
    <dc:language>en-GB</dc:language>
${creators}${translator(title)}
    <dc:publisher>${escape(title.publisher.name)}</dc:publisher>
    <dc:date>${title.firstPublished}</dc:date>
    <dc:description>${escape(title.summary.replace(/\s+/g, ' '))}</dc:description>
    <meta property="dcterms:modified">${title.firstPublished}T00:00:00Z</meta>
    <meta property="schema:accessMode">textual</meta>
    <meta property="schema:accessModeSufficient">textual</meta>
    <meta property="schema:accessibilityFeature">tableOfContents</meta>
    <meta property="schema:accessibilityHazard">none</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="style" href="style.css" media-type="text/css"/>
    <item id="title-page" href="title.xhtml" media-type="application/xhtml+xml"/>
${items.join('\n')}
  </manifest>
  <spine>
    <itemref idref="title-page"/>
${parts.map(({ id }) => `    <itemref idref="${id}"/>`).join('\n')}
  </spine>
</package>
`
}

function translator({ translator: person }: Title) {
  if (!person) return ''
  return `
    <dc:contributor id="translator">${escape(fullName(person))}</dc:contributor>
    <meta refines="#translator" property="role" scheme="marc:relators">trl</meta>`
}

function nav(parts: readonly Part[]) {
  const entries = parts.map(({ id, title }) => `        <li><a href="${id}.xhtml">${escape(title)}</a></li>`)
  return page(
    'Contents',
    `    <nav epub:type="toc" role="doc-toc" aria-labelledby="contents">
      <h1 id="contents">Contents</h1>
      <ol>
        <li><a href="title.xhtml">Title page</a></li>
${entries.join('\n')}
      </ol>
    </nav>`,
  )
}

function titlePage(title: Title) {
  const by = title.translator ? `\n      <p>Translated by ${escape(fullName(title.translator))}</p>` : ''
  return page(
    title.title,
    `    <section class="title-page" epub:type="titlepage">
      <h1>${escape(title.title)}</h1>
      <p class="author">${escape(title.authors.map(fullName).join(', '))}</p>${by}
      <p class="publisher">${escape(title.publisher.name)}</p>
    </section>`,
  )
}

function chapterBody({ title, text }: Part) {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => `      <p>${escape(paragraph.replace(/\s+/g, ' ').trim())}</p>`)
  return `    <section epub:type="chapter" role="doc-chapter">
      <h1>${escape(title)}</h1>
${paragraphs.join('\n')}
    </section>`
}

const page = (title: string, body: string) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en-GB" xml:lang="en-GB">
  <head>
    <meta charset="UTF-8"/>
    <title>${escape(title)}</title>
    <link rel="stylesheet" type="text/css" href="style.css"/>
  </head>
  <body>
${body}
  </body>
</html>
`

/** Colours only on the title page: the reading system chooses them for the rest. */
const css = ({ colours }: Title) => `body { margin: 0 6%; line-height: 1.5; hyphens: auto; }
h1 { font-weight: 500; line-height: 1.15; margin: 3em 0 1.5em; text-align: left; hyphens: none; }
p { margin: 0; text-indent: 1.3em; }
h1 + p { text-indent: 0; }
nav ol { list-style: none; padding: 0; }
nav li { margin: 0.6em 0; }
.title-page { background: ${colours.background}; color: ${colours.text}; padding: 2em; }
.title-page p { text-indent: 0; margin-top: 0.8em; }
.title-page .publisher { margin-top: 6em; }
`

/** A name-based UUID, so that the same book keeps its identity in every reading system. */
function identifier(slug: string) {
  const hash = createHash('sha1').update(`https://murmur.example/ebooks/${slug}`).digest('hex')
  const variant = ((parseInt(hash.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    variant + hash.slice(18, 20),
    hash.slice(20, 32),
  ].join('-')
}

const escape = (text: string) =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/(?<=\S)'/g, '’')
