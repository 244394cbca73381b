/** Declares the little of Papa Parse that the benchmark uses; the package brings no types. */
declare module 'papaparse' {
  type Options = { delimiter: string; skipEmptyLines: boolean; step: (result: { data: string[] }) => void };
  const papaparse: { parse(text: string, options: Options): void };
  export default papaparse;
}
