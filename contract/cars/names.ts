/** Joins the names of a model and a variant; words that both have are not repeated: `Leon Cupra` and `Cupra R` make `Leon Cupra R`. */
export function joinModelAndVariant(model: string, variant: string): string {
  const [modelWords, variantWords] = [splitWords(model), splitWords(variant)];
  const alternatives = model.toLowerCase().split(' / ');
  const isAlternative = alternatives.length > 1 && alternatives.includes(variantWords[0] ?? '');
  const hasModel =
    startsWith(variantWords, modelWords) || startsWith(variantWords.slice(-modelWords.length), modelWords);
  if (isAlternative || hasModel) return variant;
  const shared = modelWords.findIndex((_, index) => startsWith(variantWords, modelWords.slice(index)));
  const repeated = shared === -1 ? 0 : modelWords.length - shared;
  return [model, ...variant.split(/\s+/).slice(repeated)].filter(Boolean).join(' ');
}

/** Appends a generation in parentheses, unless the name ends with it already: `MX-5 2.0 (ND1)` of the ND. */
export function appendGeneration(name: string, generation: string): string {
  const [last = ''] = /\([^)]*\)$/.exec(name) ?? [];
  return last.startsWith(`(${generation}`) ? name : `${name} (${generation})`;
}

function splitWords(name: string): string[] {
  return name.toLowerCase().split(/\s+/).filter(Boolean);
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.every((word, index) => words[index] === word);
}
