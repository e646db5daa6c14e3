// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Multilayer Bootstrap Networks: the whole library.
#include <mbn/choose.hpp>
#include <mbn/cluster.hpp>
#include <mbn/codes.hpp>
#include <mbn/column_coding.hpp>
#include <mbn/compress.hpp>
#include <mbn/compress_options.hpp>
#include <mbn/describe.hpp>
#include <mbn/error.hpp>
#include <mbn/evaluate.hpp>
#include <mbn/file_kind.hpp>
#include <mbn/fit.hpp>
#include <mbn/generate.hpp>
#include <mbn/hit.hpp>
#include <mbn/index.hpp>
#include <mbn/input.hpp>
#include <mbn/layer_correlation.hpp>
#include <mbn/lsa.hpp>
#include <mbn/lsa_options.hpp>
#include <mbn/marks.hpp>
#include <mbn/matrix.hpp>
#include <mbn/message.hpp>
#include <mbn/model.hpp>
#include <mbn/neighbours.hpp>
#include <mbn/options.hpp>
#include <mbn/page.hpp>
#include <mbn/part.hpp>
#include <mbn/picture_shape.hpp>
#include <mbn/report.hpp>
#include <mbn/rows.hpp>
#include <mbn/sparse.hpp>
#include <mbn/text.hpp>
#include <mbn/text_options.hpp>
#include <mbn/tree.hpp>
#include <mbn/version.hpp>
