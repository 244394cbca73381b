import { expect, test } from 'vitest';
import { shareQuestions } from './single-flight.ts';

/** Answers the number of the question, when it is told to. */
function slowAnswers() {
  const answers: ((fails?: boolean) => void)[] = [];
  const ask = () =>
    new Promise<number>((resolve, reject) => {
      const number = answers.length + 1;
      answers.push((fails) => (fails ? reject(new Error('away')) : resolve(number)));
    });
  return { ask, answers };
}

test('who asks while an answer is on its way shares the next one', async () => {
  const { ask, answers } = slowAnswers();
  const question = shareQuestions(ask);
  const first = question();
  const others = [question(), question()];
  expect(answers).toHaveLength(1);
  answers[0]?.();
  expect(await first).toBe(1);
  await Promise.resolve();
  expect(answers).toHaveLength(2);
  const late = question();
  answers[1]?.();
  expect(await Promise.all(others)).toEqual([2, 2]);
  await new Promise(setImmediate);
  answers[2]?.();
  expect(await late).toBe(3);
  const later = question();
  answers[3]?.();
  expect(await later).toBe(4);
});

test('a failure is that of those who asked, and the next are asked anew', async () => {
  const { ask, answers } = slowAnswers();
  const question = shareQuestions(ask);
  const first = question();
  const second = question();
  answers[0]?.(true);
  await expect(first).rejects.toThrow('away');
  await new Promise(setImmediate);
  answers[1]?.();
  expect(await second).toBe(2);
});
