import type { ReactNode } from 'react'

interface BonesProps {
  /** What loads: `the order`. */
  readonly what: string
  readonly children: ReactNode
}

/** Shows the outline of a screen while it loads. Screen readers get a sentence instead. */
export const Bones = ({ what, children }: BonesProps) => (
  <div aria-busy="true">
    <p className="visually-hidden" role="status">
      Loading {what} …
    </p>
    <div className="bones" aria-hidden="true">
      {children}
    </div>
  </div>
)

/** Of a line of text, as wide as its share of the line. */
export const BoneText = ({ share }: { readonly share: number }) => (
  <svg className="bone" width={`${share}%`} height={12} />
)

/** The line below a page's title. */
export const BoneSub = () => (
  <span aria-hidden="true">
    <svg className="bone" width={280} height={12} />
  </span>
)

/** A section with a title and as many lines as its table or list usually has. */
export function BoneSection({ lines, tall = false }: { readonly lines: number; readonly tall?: boolean }) {
  return (
    <div className="section">
      <BoneHeading />
      <BoneLines lines={lines} tall={tall} />
    </div>
  )
}

export const BoneHeading = () => (
  <div className="bone-heading">
    <svg className="bone" width={170} height={18} />
  </div>
)

export const BoneLines = ({ lines, tall = false }: { readonly lines: number; readonly tall?: boolean }) => (
  <div className={tall ? 'bone-lines tall' : 'bone-lines'}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line}>
        <BoneText share={34 + ((line * 7) % 4) * 6} />
        <svg className="bone" width={44 + ((line * 3) % 4) * 6} height={12} />
      </div>
    ))}
  </div>
)

/** Buttons in a row, of about the widths of their words. */
export const BoneButtons = ({ widths }: { readonly widths: readonly (number | string)[] }) => (
  <div className="acts">
    {widths.map((width, index) => (
      <svg key={index} className="bone bone-control" width={width} />
    ))}
  </div>
)

/** A field below its label. */
export const BoneField = ({ isText = false }: { readonly isText?: boolean }) => (
  <div className="bone-field">
    <svg className="bone" width={90} height={12} />
    <svg className={isText ? 'bone bone-text' : 'bone bone-control'} width="100%" />
  </div>
)

/** Where a picture or a chart comes. A wide one is as high as the bars across a page. */
export const BoneBox = ({ isWide = false }: { readonly isWide?: boolean }) => (
  <svg className={isWide ? 'bone bone-box wide' : 'bone bone-box'} width="100%" />
)
