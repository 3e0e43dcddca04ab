/** The parameters of a person's voice; all are derived from the same HTS voice. */
export interface Voice {
  /** All-pass constant. The voice was trained at 0.45; a larger value is a longer throat. */
  readonly throat: number
  /** Semitones added to the trained pitch. */
  readonly pitch: number
  /** Speaking rate; 1 is the trained rate, which is too fast for a story. */
  readonly rate: number
  /** Weight of the global variance of pitch; above 1 the melody is livelier. */
  readonly melody: number
}

const plain: Voice = { throat: 0.45, pitch: 0, rate: 0.9, melody: 1.1 }

const voices: Record<string, Voice> = {
  'Della Voss': plain,
  'Bea Lorne': { throat: 0.47, pitch: -1.5, rate: 0.87, melody: 1 },
  'Tamsin Lowe': { throat: 0.435, pitch: 1, rate: 0.93, melody: 1.15 },
  'Nora Venn': { throat: 0.46, pitch: -0.8, rate: 0.91, melody: 1.05 },
  'Sunniva Holt': { throat: 0.44, pitch: 0.6, rate: 0.88, melody: 1 },
  'Cathal Brey': { throat: 0.505, pitch: -6.5, rate: 0.96, melody: 1.25 },
  'Idris Fane': { throat: 0.515, pitch: -7.5, rate: 0.91, melody: 1.1 },
  'Josiah Penn': { throat: 0.525, pitch: -8.5, rate: 0.9, melody: 1.1 },
  'Piers Aldous': { throat: 0.51, pitch: -6, rate: 0.92, melody: 1.2 },
  'Hollis Grange': { throat: 0.53, pitch: -9, rate: 0.88, melody: 1.05 },
  // The speakers of the podcasts, slightly faster than readers.
  'Mina Tallis': { throat: 0.455, pitch: -0.4, rate: 0.98, melody: 1.25 },
  'Jory Pask': { throat: 0.51, pitch: -7, rate: 0.96, melody: 1.15 },
  'Edda Marlow': { throat: 0.43, pitch: 1.6, rate: 0.95, melody: 1.15 },
  'Jasmin Kerr': { throat: 0.44, pitch: 2.2, rate: 1, melody: 1.2 },
  'Orla Finnegan': { throat: 0.465, pitch: -2, rate: 0.97, melody: 1.3 },
  'Imogen Tarrant': { throat: 0.43, pitch: 2.6, rate: 0.92, melody: 1.05 },
  'Elspeth Dow': { throat: 0.475, pitch: -2.6, rate: 0.91, melody: 1.05 },
}

/** A narrator's voice; the plain one if none is defined. */
export const voiceOf = (narrator: string): Voice => voices[narrator] ?? plain
