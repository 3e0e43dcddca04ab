declare module 'subset-font' {
  interface SubsetFontOptions {
    readonly targetFormat: 'sfnt' | 'woff' | 'woff2'
    readonly keepAllGlyphs?: boolean
    readonly variationAxes?: Readonly<Record<string, number | { readonly min: number; readonly max: number }>>
  }
  export default function subsetFont(font: Buffer, text: string, options: SubsetFontOptions): Promise<Buffer>
}
