# Makes the values in comparison.json. Run once with R 4.2.2, exactRankTests 0.8-35, coin 1.4-2:
#   Rscript tests/golden/comparison.R SAMPLES.txt > values.txt
# SAMPLES.txt has one sample of differences a line. Each line printed is: sample, function, option,
# alternative, then numbers.
suppressMessages({library(exactRankTests); library(coin)})
say <- function(...) cat(paste(..., sep = "\t"), "\n", sep = "")
num <- function(x) paste(format(x, digits = 15, trim = TRUE), collapse = "\t")
lines <- readLines(commandArgs(trailingOnly = TRUE)[1])
for (i in seq_along(lines)) {
  d <- as.numeric(strsplit(lines[i], " ")[[1]])
  n <- length(d); nz <- d[d != 0]
  tied <- length(unique(abs(nz))) < length(nz) || length(nz) < n
  for (alt in c("two.sided", "greater", "less")) {
    r <- t.test(d, mu = 0.1, alternative = alt)
    say(i, "t.test", "mu=0.1", alt, num(c(r$p.value, r$statistic, r$conf.int)))
    r <- suppressWarnings(wilcox.test(d, alternative = alt, exact = FALSE, correct = TRUE))
    say(i, "wilcox.test", "correct", alt, num(c(r$p.value, r$statistic)))
    r <- wilcox.exact(d, alternative = alt, exact = TRUE)
    say(i, "wilcox.exact", "wilcox", alt, num(r$p.value))
    if (!tied) {
      r <- suppressWarnings(wilcox.test(d, alternative = alt, exact = TRUE, conf.int = TRUE))
      say(i, "wilcox.test", "exact", alt, num(c(r$p.value, r$conf.int, r$estimate)))
    }
    r <- wilcoxsign_test(d ~ rep(0, n), zero.method = "Pratt", distribution = "exact",
                         alternative = alt)
    say(i, "wilcoxsign_test", "pratt", alt, num(pvalue(r)))
    r <- wilcoxsign_test(d ~ rep(0, n), zero.method = "Pratt", distribution = "asymptotic",
                         alternative = alt)
    say(i, "wilcoxsign_test", "pratt-asymptotic", alt, num(pvalue(r)))
    r <- binom.test(sum(d > 0), length(nz), alternative = alt)
    say(i, "binom.test", "sign", alt, num(r$p.value))
    if (n <= 60) {
      r <- perm.test(as.integer(round(d * 100)), alternative = alt, exact = TRUE, paired = FALSE)
      say(i, "perm.test", "mean", alt, num(r$p.value))
    }
  }
  r <- suppressWarnings(shapiro.test(d))
  say(i, "shapiro.test", "", "", num(c(r$p.value, r$statistic)))
}
